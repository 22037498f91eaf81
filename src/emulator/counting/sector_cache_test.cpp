#include "emulator/counting/sector_cache.h"

#include <gtest/gtest.h>

#include "emulator/counting/coalescing.h"

namespace optiml::emulator {
namespace {

TEST(SectorCache, SectorsOfALineAreFilledOneByOne) {
    SectorCache cache(64 * 1024);
    EXPECT_EQ(cache.access(5, 0b0011, 0).present, 0);
    EXPECT_EQ(cache.access(5, 0b0110, 0).present, 0b0010);
    EXPECT_EQ(cache.access(5, 0b1111, 0).present, 0b0111);
    cache.clear();
    EXPECT_EQ(cache.access(5, 0b1111, 0).present, 0);
}

TEST(SectorCache, WhatWarpsInStepAskForIsStillArriving) {
    SectorCache cache(64 * 1024);
    EXPECT_FALSE(cache.access(5, 0b0001, 100).arriving);
    EXPECT_TRUE(cache.access(5, 0b0001, 100).arriving);
    EXPECT_FALSE(cache.access(5, 0b0010, 200).arriving) << "a miss of its own";
    EXPECT_FALSE(cache.access(5, 0b0010, 300).arriving);
}

TEST(SectorCache, HoldsItsCapacityAndForgetsTheOldest) {
    constexpr std::uint64_t kLines = 512;
    SectorCache cache(kLines * kLineBytes);
    for (std::uint64_t line = 0; line < kLines; ++line) cache.access(line, 0xf, 0);
    for (std::uint64_t line = 0; line < kLines; ++line) EXPECT_EQ(cache.access(line, 0xf, 0).present, 0xf) << line;
    std::uint64_t hits = 0;
    for (int round = 0; round < 2; ++round) {
        for (std::uint64_t line = 0; line < 2 * kLines; ++line) hits += cache.access(line, 0xf, 0).present != 0;
    }
    EXPECT_EQ(hits, 512u) << "only the lines left from before hit; twice the capacity in a circle never does";
}

TEST(SectorCache, WithoutCapacityNothingHits) {
    SectorCache cache(0);
    cache.access(1, 1, 0);
    EXPECT_EQ(cache.access(1, 1, 0).present, 0);
}

}  // namespace
}  // namespace optiml::emulator
