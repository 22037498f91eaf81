#include <gtest/gtest.h>

#include "base/clock.h"
#include "emulator/launch_kit.h"

namespace optiml::emulator {
namespace {

using Buffer = LaunchKit::Buffer;
using Integers = std::vector<std::int32_t>;

class Barriers : public testing::Test {
protected:
    LaunchKit kit = LaunchKit::from_file("barriers");
    BufferId y = kit.input("y", Integers(128));

    void expect_barrier(const LaunchResult& result, std::uint32_t line, const std::string& part) {
        ASSERT_FALSE(result.findings.empty());
        const Finding& finding = result.findings[0];
        EXPECT_EQ(finding.kind, FindingKind::barrier);
        EXPECT_EQ(finding.line, line);
        EXPECT_NE(finding.message.find(part), std::string::npos) << describe(result);
    }
};

TEST_F(Barriers, SomeLanesOfAWarp) {
    const LaunchResult result = kit.run("some_lanes", {1}, {64}, Buffer{y});
    EXPECT_FALSE(result.completed);
    expect_barrier(result, 6, "16 of the warp's 32 threads never reach it");
}

TEST_F(Barriers, BothBranchesOfAnIf) {
    const LaunchResult result = kit.run("both_branches", {1}, {64}, Buffer{y});
    expect_barrier(result, 13, "other threads of the warp are at the barrier of line 17");
}

TEST_F(Barriers, WarpsThatNeverCome) {
    const LaunchResult result = kit.run("some_warps", {1}, {64}, Buffer{y});
    EXPECT_FALSE(result.completed);
    expect_barrier(result, 24, "for ever");
    EXPECT_EQ(result.findings[0].thread[0], 0u);
}

TEST_F(Barriers, RoundsThatDifferBetweenLanes) {
    const LaunchResult result = kit.run("rounds", {1}, {64}, Buffer{y});
    EXPECT_FALSE(result.completed);
    expect_barrier(result, 32, "never reach it");
    EXPECT_EQ(result.findings[0].thread[0], 32u);
}

TEST_F(Barriers, ThreadsThatReturnedAreNotWaitedFor) {
    for (const int n : {128, 100, 64, 33, 1}) {
        EXPECT_EQ(describe(kit.run("early_return", {1}, {128}, Buffer{y}, n)), "") << n;
        EXPECT_EQ(kit.read<std::int32_t>(y)[0], n - 1);
    }
}

TEST_F(Barriers, Reductions) {
    Integers values(96);
    for (int i = 0; i < 96; ++i) values[i] = i;
    const BufferId x = kit.input("x", values);
    EXPECT_EQ(describe(kit.run("reductions", {1}, {96}, Buffer{x}, Buffer{y})), "");
    for (int t = 0; t < 96; ++t) EXPECT_EQ(kit.read<std::int32_t>(y)[t], 1 + 10 + 100 * 45);
    EXPECT_EQ(describe(kit.run("reductions", {1}, {50}, Buffer{x}, Buffer{y})), "");
    EXPECT_EQ(kit.read<std::int32_t>(y)[0], 0 + 10 + 0);
}

TEST_F(Barriers, ProducersArriveConsumersWait) {
    for (const std::uint64_t seed : {0, 3, 4}) {
        kit.options.schedule_seed = seed;
        EXPECT_EQ(describe(kit.run("producer_consumer", {1}, {128}, Buffer{y})), "") << seed;
        for (int t = 0; t < 64; ++t) EXPECT_EQ(kit.read<std::int32_t>(y)[t], 5 * (63 - t));
    }
}

TEST_F(Barriers, EndlessWaitingEndsAtTheInstructionLimit) {
    const BufferId flag = kit.input("flag", Integers{0});
    kit.options.instruction_limit = 20'000;
    const LaunchResult result = kit.run("spin", {3}, {64}, Buffer{flag});
    EXPECT_FALSE(result.completed);
    ASSERT_EQ(result.findings.size(), 1u);
    EXPECT_EQ(result.findings[0].kind, FindingKind::time_limit);
    EXPECT_EQ(result.findings[0].line, 66u);
}

TEST_F(Barriers, EndlessWaitingEndsAtTheDeadline) {
    class RunningClock final : public Clock {
    public:
        double now() const override { return reads_++; }

    private:
        mutable double reads_ = 0;
    } clock;
    const BufferId flag = kit.input("flag", Integers{0});
    kit.options.deadline = Deadline(clock, 5);
    const LaunchResult result = kit.run("spin", {1}, {32}, Buffer{flag});
    EXPECT_FALSE(result.completed);
    ASSERT_EQ(result.findings.size(), 1u);
    EXPECT_EQ(result.findings[0].kind, FindingKind::time_limit);
}

}  // namespace
}  // namespace optiml::emulator
