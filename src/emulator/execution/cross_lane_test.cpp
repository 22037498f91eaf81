#include <gtest/gtest.h>

#include "emulator/launch_kit.h"

namespace optiml::emulator {
namespace {

using Buffer = LaunchKit::Buffer;
using Integers = std::vector<std::int32_t>;

Integers inputs(int count = 32) {
    Integers values(count);
    for (int i = 0; i < count; ++i) values[i] = i * 29 % 37 - 3;
    return values;
}

TEST(CrossLane, ShufflesOfEveryMode) {
    LaunchKit kit = LaunchKit::from_file("cross_lane");
    const Integers x = inputs();
    const BufferId in = kit.input("x", x);
    const BufferId out = kit.output<std::int32_t>("out", 256);
    EXPECT_EQ(describe(kit.run("shuffles", {1}, {32}, Buffer{in}, Buffer{out})), "");
    const Integers got = kit.read<std::int32_t>(out);
    for (int lane = 0; lane < 32; ++lane) {
        const auto tile = [&](int width) { return lane / width * width; };
        const Integers from = {lane * 7 % 32,
                               lane >= 3 ? lane - 3 : lane,
                               lane + 5 < 32 ? lane + 5 : lane,
                               lane ^ 9,
                               tile(8) + 2,
                               lane % 4 >= 1 ? lane - 1 : lane,
                               lane % 16 + 2 < 16 ? lane + 2 : lane,
                               lane ^ 4};
        for (int row = 0; row < 8; ++row) EXPECT_EQ(got[row * 32 + lane], x[from[row]]) << "row " << row << " lane " << lane;
    }
}

TEST(CrossLane, VotesMatchesAndReductions) {
    LaunchKit kit = LaunchKit::from_file("cross_lane");
    const Integers x = inputs();
    const BufferId in = kit.input("x", x);
    const BufferId out = kit.output<std::uint32_t>("out", 320);
    EXPECT_EQ(describe(kit.run("votes", {1}, {32}, Buffer{in}, Buffer{out})), "");
    const std::vector<std::uint32_t> got = kit.read<std::uint32_t>(out);
    std::uint32_t above = 0, sum = 0, exclusive = 0, least = ~0u, activity = 0;
    std::int32_t greatest = x[0];
    for (int lane = 0; lane < 32; ++lane) {
        const auto value = static_cast<std::uint32_t>(x[lane]);
        if (x[lane] > 10) above |= 1u << lane;
        if (lane % 3 == 0) activity |= 1u << lane;
        sum += value;
        exclusive ^= value;
        least = std::min(least, value);
        greatest = std::max(greatest, x[lane]);
    }
    for (int lane = 0; lane < 32; ++lane) {
        std::uint32_t equal = 0;
        for (int other = 0; other < 32; ++other)
            if (x[other] % 5 == x[lane] % 5) equal |= 1u << other;
        EXPECT_EQ(got[lane], above);
        EXPECT_EQ(got[32 + lane], 1u + 4u);
        EXPECT_EQ(got[64 + lane], equal) << lane;
        EXPECT_EQ(got[96 + lane], ~0u);
        EXPECT_EQ(got[128 + lane], 1u);
        EXPECT_EQ(got[160 + lane], sum);
        EXPECT_EQ(got[192 + lane], static_cast<std::uint32_t>(greatest));
        EXPECT_EQ(got[224 + lane], least);
        EXPECT_EQ(got[256 + lane], exclusive);
        EXPECT_EQ(got[288 + lane], lane % 3 == 0 ? activity : 0u);
    }
}

TEST(CrossLane, MasksOfPartsOfAWarp) {
    LaunchKit kit = LaunchKit::from_file("cross_lane");
    const Integers x = inputs();
    const BufferId in = kit.input("x", x);
    const BufferId out = kit.output<std::int32_t>("out", 32);
    EXPECT_EQ(describe(kit.run("tile_sums", {1}, {32}, Buffer{in}, Buffer{out})), "");
    const Integers sums = kit.read<std::int32_t>(out);
    for (int lane = 0; lane < 32; ++lane) {
        std::int32_t sum = 0;
        for (int other = lane & ~7; other < (lane & ~7) + 8; ++other) sum += x[other];
        EXPECT_EQ(sums[lane], sum) << lane;
    }
    EXPECT_EQ(describe(kit.run("halves", {1}, {32}, Buffer{in}, Buffer{out})), "");
    const Integers swapped = kit.read<std::int32_t>(out);
    for (int lane = 0; lane < 32; ++lane) EXPECT_EQ(swapped[lane], x[lane < 16 ? lane ^ 1 : lane ^ 2]) << lane;
}

void expect_shuffle_finding(const std::string& kernel, std::uint32_t line, std::uint32_t thread, const std::string& part, bool has_count) {
    LaunchKit kit = LaunchKit::from_file("cross_lane");
    const BufferId in = kit.input("x", inputs());
    const BufferId out = kit.output<std::int32_t>("out", 32);
    const LaunchResult result =
        has_count ? kit.run(kernel, {1}, {32}, Buffer{in}, Buffer{out}, 20) : kit.run(kernel, {1}, {32}, Buffer{in}, Buffer{out});
    EXPECT_TRUE(result.completed);
    ASSERT_EQ(result.findings.size(), 1u) << describe(result);
    const Finding& finding = result.findings[0];
    EXPECT_EQ(finding.kind, FindingKind::shuffle);
    EXPECT_EQ(finding.line, line);
    EXPECT_EQ(finding.thread[0], thread);
    EXPECT_NE(finding.message.find(part), std::string::npos) << finding.message;
}

TEST(CrossLane, MasksThatNameLanesWhichCannotTakePart) {
    expect_shuffle_finding("exited_lanes", 65, 0, "has exited", true);
    expect_shuffle_finding("missing_lanes", 72, 0, "never execute", false);
    expect_shuffle_finding("outside_mask", 79, 16, "leaves out the lane", false);
}

TEST(CrossLane, LanesThatTheBlockDoesNotHave) {
    LaunchKit kit = LaunchKit::from_file("cross_lane");
    const BufferId in = kit.input("x", std::vector<float>(96, 1.0f));
    const BufferId out = kit.output<float>("sums", 3);
    EXPECT_EQ(describe(kit.run("warp_sum", {1}, {96}, Buffer{in}, Buffer{out}, 96)), "");
    EXPECT_EQ(kit.read<float>(out), (std::vector<float>{32, 32, 32}));
    const LaunchResult result = kit.run("warp_sum", {1}, {80}, Buffer{in}, Buffer{out}, 80);
    ASSERT_FALSE(result.findings.empty());
    EXPECT_EQ(result.findings[0].kind, FindingKind::shuffle);
    EXPECT_EQ(result.findings[0].line, 57u);
    EXPECT_EQ(result.findings[0].thread[0], 64u);
}

}  // namespace
}  // namespace optiml::emulator
