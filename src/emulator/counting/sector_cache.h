#pragma once
// An SM's L1 as Nsight Compute sees it: 128-byte lines of four sectors, filled by sector, least recently used line out.

#include <cstdint>
#include <vector>

namespace optiml::emulator {

class SectorCache {
public:
    explicit SectorCache(std::uint64_t bytes);  // 0: nothing ever hits

    struct Answer {
        std::uint8_t present = 0;  // of the wanted sectors
        bool arriving = false;     // some of them were asked for so shortly before that they are still on their way
    };

    // Afterwards all wanted sectors are present. moment: how far the asking warp has come; warps that go in step ask at equal moments.
    Answer access(std::uint64_t line, std::uint8_t sectors, std::uint64_t moment);
    void clear();

private:
    struct Way {
        std::uint64_t line = ~std::uint64_t{0};
        std::uint64_t filled_at = 0;  // moment
        std::uint32_t last_use = 0;
        std::uint8_t sectors = 0;
    };

    Way* set_of(std::uint64_t line);

    std::uint32_t sets_ = 0;
    std::uint32_t clock_ = 0;
    std::vector<Way> ways_;
};

}  // namespace optiml::emulator
