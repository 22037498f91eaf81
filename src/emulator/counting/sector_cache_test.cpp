#include "emulator/counting/sector_cache.h"

#include <gtest/gtest.h>

#include "emulator/counting/coalescing.h"

namespace optiml::emulator {
namespace {

TEST(SectorCache, SectorsOfALineAreFilledOneByOne) {
    SectorCache cache(64 * 1024);
    EXPECT_EQ(cache.access(5, 0b0011, true), 0);
    EXPECT_EQ(cache.access(5, 0b0110, true), 0b0010);
    EXPECT_EQ(cache.access(5, 0b1111, false), 0b0111);
    EXPECT_EQ(cache.access(5, 0b1000, true), 0);
    cache.clear();
    EXPECT_EQ(cache.access(5, 0b1111, true), 0);
}

TEST(SectorCache, HoldsItsCapacityAndForgetsTheOldest) {
    constexpr std::uint64_t kLines = 512;
    SectorCache cache(kLines * kLineBytes);
    for (std::uint64_t line = 0; line < kLines; ++line) cache.access(line, 0xf, true);
    for (std::uint64_t line = 0; line < kLines; ++line) EXPECT_EQ(cache.access(line, 0xf, true), 0xf) << line;
    std::uint64_t hits = 0;
    for (int round = 0; round < 2; ++round) {
        for (std::uint64_t line = 0; line < 2 * kLines; ++line) hits += cache.access(line, 0xf, true) != 0;
    }
    EXPECT_EQ(hits, 512u) << "only the lines left from before hit; twice the capacity in a circle never does";
}

TEST(SectorCache, WithoutCapacityNothingHits) {
    SectorCache cache(0);
    cache.access(1, 1, true);
    EXPECT_EQ(cache.access(1, 1, true), 0);
}

}  // namespace
}  // namespace optiml::emulator
