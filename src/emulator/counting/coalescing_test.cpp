#include "emulator/counting/coalescing.h"

#include <gtest/gtest.h>

#include <array>

namespace optiml::emulator {
namespace {

struct Case {
    const char* pattern;
    LaneMask active;
    std::uint32_t bytes;
    std::uint64_t first;
    std::int64_t stride;
    std::uint32_t lines;
    std::uint32_t sectors;
};

constexpr LaneMask kAll = ~LaneMask{0};

TEST(Coalescing, LinesAndSectorsOfStridedRequests) {
    const Case cases[] = {
        {"float", kAll, 4, 0x1000, 4, 1, 4},
        {"float, shifted by 4 bytes", kAll, 4, 0x1004, 4, 2, 5},
        {"float, shifted by a sector", kAll, 4, 0x1020, 4, 2, 4},
        {"float, backwards", kAll, 4, 0x1000 + 31 * 4, -4, 1, 4},
        {"float2", kAll, 8, 0x1000, 8, 2, 8},
        {"float4", kAll, 16, 0x1000, 16, 4, 16},
        {"byte", kAll, 1, 0x1000, 1, 1, 1},
        {"byte over a sector's edge", kAll, 1, 0x101f, 1, 1, 2},
        {"every second float", kAll, 4, 0x1000, 8, 2, 8},
        {"one float a sector", kAll, 4, 0x1000, 32, 8, 32},
        {"one float a line", kAll, 4, 0x1000, 128, 32, 32},
        {"the same float", kAll, 4, 0x1010, 0, 1, 1},
        {"float4, one a line", kAll, 16, 0x1000, 128, 32, 32},
        {"half the warp", 0x0000ffff, 4, 0x1000, 4, 1, 2},
        {"upper half", 0xffff0000, 4, 0x1000, 4, 1, 2},
        {"one lane", 1u << 31, 4, 0x1000, 4, 1, 1},
    };
    for (const Case& test : cases) {
        SCOPED_TRACE(test.pattern);
        std::array<std::uint64_t, kLanes> addresses{};
        for (std::uint32_t lane = 0; lane < kLanes; ++lane) addresses[lane] = test.first + static_cast<std::uint64_t>(lane * test.stride);
        std::array<LineAccess, kMaxLinesPerRequest> lines;
        const std::uint32_t count = coalesce(test.active, test.bytes, addresses.data(), lines.data());
        EXPECT_EQ(count, test.lines);
        EXPECT_EQ(count_sectors(lines.data(), count), test.sectors);
    }
}

TEST(Coalescing, ScatteredLanesMeetAgainInEarlierLines) {
    std::array<std::uint64_t, kLanes> addresses{};
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) addresses[lane] = 0x8000 + (lane * 7 % 4) * kLineBytes + lane / 8 * kSectorBytes;
    std::array<LineAccess, kMaxLinesPerRequest> lines;
    const std::uint32_t count = coalesce(kAll, 4, addresses.data(), lines.data());
    ASSERT_EQ(count, 4u);
    for (std::uint32_t i = 0; i < count; ++i) EXPECT_EQ(lines[i].sectors, 0xf);
}

TEST(Coalescing, LocalWordsOfAWarpStandSideBySide) {
    std::array<std::uint64_t, kLanes> addresses{};
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) addresses[lane] = local_address(0x10000, 20, lane);
    std::array<LineAccess, kMaxLinesPerRequest> lines;
    ASSERT_EQ(coalesce(kAll, 4, addresses.data(), lines.data()), 1u);
    EXPECT_EQ(lines[0].line, (0x10000u + 5 * kLineBytes) / kLineBytes);
    EXPECT_EQ(lines[0].sectors, 0xf);
    EXPECT_EQ(local_address(0x10000, 21, 3), local_address(0x10000, 20, 3) + 1);
}

}  // namespace
}  // namespace optiml::emulator
