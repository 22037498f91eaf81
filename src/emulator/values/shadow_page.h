#pragma once
// What travels with values in memory when a kernel runs in a wider value domain.

#include <array>
#include <cstdint>

#include "emulator/storage/page.h"

namespace optiml::emulator {

// A value of the wider domain: a double, or a double-double whose parts do not overlap.
struct ShadowValue {
    double high = 0;
    double low = 0;
};

// Shadows of one page, by the granule in which the value begins.
class ShadowPage {
public:
    // The shadow of the value of `bytes` (4 or 8) at an offset in the page; nullptr if it has none.
    const ShadowValue* find(std::uint32_t offset, std::uint32_t bytes) const {
        const std::uint32_t granule = offset / kGranuleBytes;
        return offset % kGranuleBytes == 0 && bytes_[granule] == bytes ? &values_[granule] : nullptr;
    }
    void set(std::uint32_t offset, std::uint32_t bytes, ShadowValue value) {
        forget(offset, bytes);
        values_[offset / kGranuleBytes] = value;
        bytes_[offset / kGranuleBytes] = static_cast<std::uint8_t>(bytes);
    }
    // Bytes without a shadow were stored.
    void forget(std::uint32_t offset, std::uint32_t bytes) {
        const std::uint32_t first = offset / kGranuleBytes;
        if (first > 0 && bytes_[first - 1] > kGranuleBytes) bytes_[first - 1] = 0;
        for (std::uint32_t granule = first; granule <= (offset + bytes - 1) / kGranuleBytes; ++granule) bytes_[granule] = 0;
    }

private:
    std::array<ShadowValue, kGranulesPerPage> values_;
    std::array<std::uint8_t, kGranulesPerPage> bytes_{};  // of the value that begins here; 0: none
};

}  // namespace optiml::emulator
