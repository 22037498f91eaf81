#include "evaluation/coverage.h"

#include <cmath>

#include <gtest/gtest.h>

namespace optiml::evaluation {
namespace {

task::ResolvedStep launch(std::vector<std::uint32_t> buffers) {
    task::ResolvedStep step;
    step.kernel = "k";
    for (const std::uint32_t buffer : buffers) {
        task::ResolvedArgument argument;
        argument.is_buffer = true;
        argument.buffer = buffer;
        step.arguments.push_back(argument);
    }
    return step;
}

// Two buffers of 1,000 elements; launches read the first one and write the second.
task::ResolvedPlan plan_of(std::vector<task::ResolvedStep> steps) {
    task::ResolvedPlan plan;
    plan.buffers = {{"x", task::ScalarType::f32, task::Role::input, false, 1000}, {"y", task::ScalarType::f32, task::Role::output, false, 1000}};
    plan.steps = std::move(steps);
    return plan;
}

emulator::BlockFootprint block(std::uint64_t read, std::uint64_t written) { return {0, {{read, 0}, {0, written}}}; }

TEST(Coverage, IsThatOfAllBlocksByThoseThatRan) {
    const task::ResolvedPlan plan = plan_of({launch({0, 1})});
    const SampledLaunch sampled{{0, {0}}, 100, 0, {block(10, 4), block(10, 6)}};
    const auto read = share_of({sampled}, plan, 0, Direction::read), written = share_of({sampled}, plan, 1, Direction::written);
    ASSERT_TRUE(read && written);
    EXPECT_DOUBLE_EQ(read->value, 1);
    EXPECT_DOUBLE_EQ(read->error, 0);
    EXPECT_DOUBLE_EQ(written->value, 0.5);
    EXPECT_NEAR(written->error, 0.1 / std::sqrt(2), 1e-12);
    EXPECT_DOUBLE_EQ(share_of({sampled}, plan, 0, Direction::written)->value, 0);
}

TEST(Coverage, AddsUpLaunches) {
    const task::ResolvedPlan plan = plan_of({launch({0, 1}), launch({0, 1}), launch({0})});
    const SampledLaunch both{{0, {0, 1}}, 10, 0, {block(25, 50)}}, last{{2, {2}}, 1, 0, {block(500, 0)}};
    EXPECT_DOUBLE_EQ(share_of({both, last}, plan, 0, Direction::read)->value, 0.5 + 0.5);
    EXPECT_DOUBLE_EQ(share_of({both, last}, plan, 1, Direction::written)->value, 1);
}

TEST(Coverage, FollowsBuffersThatChangePlaces) {
    const task::ResolvedPlan plan = plan_of({launch({0, 1}), launch({1, 0})});
    const SampledLaunch both{{0, {0, 1}}, 10, 0, {block(100, 100)}};
    for (const std::size_t buffer : {0u, 1u}) {
        EXPECT_DOUBLE_EQ(share_of({both}, plan, buffer, Direction::read)->value, 1);
        EXPECT_DOUBLE_EQ(share_of({both}, plan, buffer, Direction::written)->value, 1);
    }
}

TEST(Coverage, IsUnknownWhereNothingRan) {
    const task::ResolvedPlan plan = plan_of({launch({0, 1})});
    EXPECT_FALSE(share_of({SampledLaunch{{0, {0}}, 100, 0, {}}}, plan, 0, Direction::read));
}

TEST(Coverage, IsWholeAtBothSizesOrNot) {
    const task::ResolvedPlan plan = plan_of({launch({0, 1})});
    const SampledLaunch whole{{0, {0}}, 100, 0, {block(10, 10)}}, half{{0, {0}}, 100, 0, {block(10, 5)}};
    const std::vector<emulator::BufferFootprint> small{{1000, 0}, {0, 1000}}, small_half{{1000, 0}, {0, 500}};
    EXPECT_EQ(whole_buffers(small, plan, {whole}, plan).size(), 2u);
    for (const auto& only_x : {whole_buffers(small, plan, {half}, plan), whole_buffers(small_half, plan, {whole}, plan)}) {
        ASSERT_EQ(only_x.size(), 1u);
        EXPECT_EQ(only_x[0].buffer, 0u);
        EXPECT_EQ(only_x[0].direction, Direction::read);
    }
}

}  // namespace
}  // namespace optiml::evaluation
