// The twenty tasks of examples/suite as the published table of sizes has them.

#include <gtest/gtest.h>

#include "task/resolved.h"

namespace optiml::task {
namespace {

struct SuiteCase {
    const char* name;
    Sizes small;
    Sizes large;
};

std::ostream& operator<<(std::ostream& stream, const SuiteCase& suite_case) { return stream << suite_case.name; }

class SuiteTask : public testing::TestWithParam<SuiteCase> {};

TEST_P(SuiteTask, HasItsSizesAndResolves) {
    const RealDisk disk;
    const auto task = load_task(std::string(OPTIML_SOURCE_DIR) + "/examples/suite/" + GetParam().name + ".toml", disk);
    ASSERT_TRUE(task) << task.error().text();
    EXPECT_EQ(task->name, GetParam().name);
    EXPECT_EQ(task->small_sizes(), GetParam().small);
    EXPECT_EQ(task->large_sizes(), GetParam().large);
    const auto plan = resolve(*task, task->plan, task->large_sizes());
    ASSERT_TRUE(plan) << plan.error().text();
    for (const ResolvedStep& step : plan->steps) {
        if (step.is_clear) continue;
        EXPECT_GT(step.grid[0], 0u);
        EXPECT_LE(step.grid[1], 65535u);
        EXPECT_LE(step.block[0] * step.block[1] * step.block[2], 1024u);
    }
    EXPECT_GE(edge_sizes(*task, task->plan, 20).size(), 5u);
}

constexpr std::int64_t k2To24 = 1 << 24, k2To26 = 1 << 26, k2To28 = 1 << 28;

INSTANTIATE_TEST_SUITE_P(
    Table, SuiteTask,
    testing::Values(
        SuiteCase{"relu", {{"n", 10007}}, {{"n", k2To28}}}, SuiteCase{"sigmoid", {{"n", 10007}}, {{"n", k2To28}}},
        SuiteCase{"matrix_copy", {{"rows", 67}, {"cols", 129}}, {{"rows", 16384}, {"cols", 16384}}},
        SuiteCase{"reverse", {{"n", 10007}}, {{"n", k2To28}}},
        SuiteCase{"transpose", {{"rows", 67}, {"cols", 129}}, {{"rows", 8192}, {"cols", 8192}}},
        SuiteCase{"matmul", {{"m", 33}, {"n", 65}, {"k", 47}}, {{"m", 4096}, {"n", 4096}, {"k", 4096}}},
        SuiteCase{"batched_matmul",
                  {{"batch", 3}, {"m", 17}, {"n", 33}, {"k", 29}},
                  {{"batch", 64}, {"m", 1024}, {"n", 1024}, {"k", 1024}}},
        SuiteCase{"conv2d",
                  {{"batch", 2}, {"channels", 3}, {"filters", 5}, {"height", 17}, {"width", 19}},
                  {{"batch", 16}, {"channels", 64}, {"filters", 64}, {"height", 112}, {"width", 112}}},
        SuiteCase{"maxpool3d",
                  {{"batch", 1}, {"channels", 2}, {"depth", 9}, {"height", 11}, {"width", 13}},
                  {{"batch", 16}, {"channels", 32}, {"depth", 64}, {"height", 64}, {"width", 64}}},
        SuiteCase{"layernorm", {{"rows", 7}, {"cols", 129}}, {{"rows", 8192}, {"cols", 8192}}},
        SuiteCase{"softmax", {{"rows", 7}, {"cols", 129}}, {{"rows", 8192}, {"cols", 8192}}},
        SuiteCase{"cross_entropy", {{"rows", 7}, {"cols", 129}}, {{"rows", 8192}, {"cols", 8192}}},
        SuiteCase{"mse", {{"n", 10007}}, {{"n", k2To26}}}, SuiteCase{"reduction", {{"n", 10007}}, {{"n", k2To28}}},
        SuiteCase{"dot", {{"n", 10007}}, {{"n", k2To26}}}, SuiteCase{"prefix_sum", {{"n", 1031}}, {{"n", k2To26}}},
        SuiteCase{"histogram", {{"n", 10007}}, {{"n", k2To28}}}, SuiteCase{"sort", {{"n", 512}}, {{"n", k2To24}}},
        SuiteCase{"attention", {{"heads", 2}, {"length", 33}, {"dim", 64}}, {{"heads", 32}, {"length", 2048}, {"dim", 64}}},
        SuiteCase{"monte_carlo", {{"n", 10007}}, {{"n", k2To28}}}),
    [](const auto& suite_case) { return std::string(suite_case.param.name); });

}  // namespace
}  // namespace optiml::task
