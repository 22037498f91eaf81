#pragma once
// The local memory of a warp's threads.

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "emulator/lanes.h"
#include "emulator/storage/page.h"
#include "emulator/values/shadow_page.h"

namespace optiml::emulator {

// Words of 4 bytes of the 32 lanes stand side by side, as on a GPU: lanes that use the same offset touch neighbouring words.
class LocalMemory {
public:
    using Words = std::array<std::uint32_t, kLanes>;
    using Written = std::array<WrittenBytes, kLanes>;

    std::uint32_t bytes() const { return static_cast<std::uint32_t>(words.size() * kGranuleBytes); }
    // Bytes [begin, end) of these lanes become uninitialised: a frame's memory begins its life.
    void begin_frame(std::uint32_t begin, std::uint32_t end, LaneMask lanes) {
        const std::size_t granules = (end + kGranuleBytes - 1) / kGranuleBytes;
        if (granules > words.size()) {
            words.resize(granules);
            written.resize(granules);
            if (!shadows.empty()) shadows.resize(granules);
        }
        for (std::size_t granule = begin / kGranuleBytes; granule < granules; ++granule)
            for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) clear(granule, static_cast<std::size_t>(std::countr_zero(rest)));
    }

    std::vector<Words> words;
    std::vector<Written> written;
    // By granule and lane: the shadow of a value that begins there; empty: none yet.
    struct Shadow {
        ShadowValue value;
        std::uint8_t bytes = 0;
    };
    std::vector<std::array<Shadow, kLanes>> shadows;

private:
    void clear(std::size_t granule, std::size_t lane) {
        words[granule][lane] = ~std::uint32_t{0};
        written[granule][lane] = 0;
        if (!shadows.empty()) shadows[granule][lane] = {};
    }
};

}  // namespace optiml::emulator
