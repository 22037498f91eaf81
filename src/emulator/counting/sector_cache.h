#pragma once
// An SM's L1 as Nsight Compute sees it: 128-byte lines of four sectors, filled by sector, least recently used line out.

#include <cstdint>
#include <vector>

namespace optiml::emulator {

class SectorCache {
public:
    explicit SectorCache(std::uint64_t bytes);  // 0: nothing ever hits

    // Which of the wanted sectors of a line are present. With fill, all wanted ones are afterwards.
    std::uint8_t access(std::uint64_t line, std::uint8_t sectors, bool fill);
    void clear();

private:
    struct Way {
        std::uint64_t line = ~std::uint64_t{0};
        std::uint32_t last_use = 0;
        std::uint8_t sectors = 0;
    };

    Way* set_of(std::uint64_t line);

    std::uint32_t sets_ = 0;
    std::uint32_t clock_ = 0;
    std::vector<Way> ways_;
};

}  // namespace optiml::emulator
