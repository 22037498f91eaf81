#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "emulator/launch_kit.h"

namespace optiml::emulator {
namespace {

using Buffer = LaunchKit::Buffer;

std::vector<float> ramp(std::size_t count) {
    std::vector<float> values(count);
    std::iota(values.begin(), values.end(), 1.0f);
    return values;
}

class Async : public testing::Test {
protected:
    LaunchKit kit = LaunchKit::from_file("async");
};

TEST_F(Async, PipelinesOfTwoStages) {
    constexpr int tiles = 5;
    const std::vector<float> x = ramp(tiles * 256);
    const BufferId in = kit.input("x", x);
    const BufferId out = kit.output<float>("y", 64);
    EXPECT_EQ(describe(kit.run("pipelined", {1}, {64}, Buffer{in}, Buffer{out}, tiles)), "");
    for (int t = 0; t < 64; ++t) {
        float sum = 0;
        for (int k = 0; k < tiles; ++k)
            for (int i = 0; i < 4; ++i) sum += x[(k * 64 + 63 - t) * 4 + i];
        EXPECT_EQ(kit.read<float>(out)[t], sum) << t;
    }
}

TEST_F(Async, CopiesThatNobodyWaitsFor) {
    const BufferId in = kit.input("x", ramp(64));
    const BufferId out = kit.output<float>("y", 64);
    const LaunchResult result = kit.run("not_waited", {1}, {64}, Buffer{in}, Buffer{out});
    const auto race = std::ranges::find(result.findings, FindingKind::race, &Finding::kind);
    ASSERT_NE(race, result.findings.end()) << describe(result);
    EXPECT_EQ(race->line, 29u);
    EXPECT_EQ(race->other_line, 26u);
    EXPECT_EQ(race->buffer, "shared");
}

TEST_F(Async, WaitingIsForTheOwnThreadOnly) {
    const BufferId in = kit.input("x", ramp(64));
    const BufferId out = kit.output<float>("y", 64);
    const LaunchResult result = kit.run("no_barrier", {1}, {64}, Buffer{in}, Buffer{out});
    const auto race = std::ranges::find(result.findings, FindingKind::race, &Finding::kind);
    ASSERT_NE(race, result.findings.end()) << describe(result);
    EXPECT_EQ(std::min(race->line, race->other_line), 35u);
    EXPECT_EQ(std::max(race->line, race->other_line), 38u);
}

TEST_F(Async, WhatIsNotReadIsZero) {
    const BufferId in = kit.input("x", ramp(40));
    const BufferId out = kit.output<float>("y", 64);
    EXPECT_EQ(describe(kit.run("zero_filled", {1}, {64}, Buffer{in}, Buffer{out}, 40)), "");
    const std::vector<float> y = kit.read<float>(out);
    for (int t = 0; t < 64; ++t) EXPECT_EQ(y[t], t < 40 ? t + 1.0f : 0.0f) << t;
    // One element more lies outside the buffer.
    const LaunchResult result = kit.run("zero_filled", {1}, {64}, Buffer{in}, Buffer{out}, 41);
    ASSERT_EQ(result.findings.size(), 1u) << describe(result);
    EXPECT_EQ(result.findings[0].kind, FindingKind::out_of_bounds);
    EXPECT_EQ(result.findings[0].thread[0], 40u);
}

TEST_F(Async, MbarriersOrderThreads) {
    std::vector<std::int32_t> x(64);
    std::iota(x.begin(), x.end(), 0);
    for (const std::uint64_t seed : {0, 1, 5}) {
        kit.options.schedule_seed = seed;
        kit.options.instruction_limit = 1'000'000;
        const BufferId in = kit.input("x", x);
        const BufferId out = kit.output<std::int32_t>("y", 64);
        EXPECT_EQ(describe(kit.run("at_mbarrier", {1}, {64}, Buffer{in}, Buffer{out}, 3)), "") << seed;
        // After the first round all values are 63.
        for (const std::int32_t value : kit.read<std::int32_t>(out)) EXPECT_EQ(value, 63 * 4);
    }
}

}  // namespace
}  // namespace optiml::emulator
