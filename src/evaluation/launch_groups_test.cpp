#include "evaluation/launch_groups.h"

#include <numeric>

#include <gtest/gtest.h>

namespace optiml::evaluation {
namespace {

task::ResolvedStep launch(const char* kernel, std::uint64_t blocks, std::vector<std::int32_t> scalars) {
    task::ResolvedStep step;
    step.kernel = kernel;
    step.grid = {blocks, 1, 1};
    step.block = {256, 1, 1};
    for (const std::int32_t value : scalars) {
        task::ResolvedArgument argument;
        argument.bytes.resize(4);
        task::store_integer(task::ScalarType::i32, value, argument.bytes.data());
        step.arguments.push_back(argument);
    }
    return step;
}

TEST(LaunchGroups, TakeLikeLaunchesTogether) {
    task::ResolvedPlan plan;
    task::ResolvedStep clear;
    clear.is_clear = true;
    plan.steps = {clear, launch("a", 4, {1}), launch("b", 4, {1}), launch("a", 4, {1}), launch("a", 8, {1}), launch("a", 0, {1})};
    const auto groups = group_launches(plan, 10);
    ASSERT_EQ(groups.size(), 3u);
    EXPECT_EQ(groups[0].members, (std::vector<std::size_t>{1, 3}));
    EXPECT_EQ(groups[1].members, std::vector<std::size_t>{2});
    EXPECT_EQ(groups[2].members, std::vector<std::size_t>{4});
}

TEST(LaunchGroups, SpreadOverTheScalarArguments) {
    task::ResolvedPlan plan;  // a bitonic sort of 2^16
    for (int k = 2; k <= 1 << 16; k *= 2) {
        for (int j = k / 2; j > 0; j /= 2) plan.steps.push_back(launch("sort", 64, {j, k}));
    }
    const auto groups = group_launches(plan, 5);
    ASSERT_EQ(groups.size(), 5u);
    std::size_t members = 0;
    for (const LaunchGroup& group : groups) {
        members += group.members.size();
        EXPECT_NE(std::find(group.members.begin(), group.members.end(), group.step), group.members.end());
    }
    EXPECT_EQ(members, plan.steps.size());
    EXPECT_EQ(group_launches(plan, 1000).size(), plan.steps.size());
}

}  // namespace
}  // namespace optiml::evaluation
