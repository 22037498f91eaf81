#include "transforms/testing.h"

namespace optiml::transforms::testing {
namespace {

const std::string sort = R"(// one step
__global__ void sort(int* keys, int j, int k, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int other = i ^ j;
    // the lower of the two exchanges
    if (i < n && other > i) {
        if ((keys[i] > keys[other]) == ((i & k) == 0)) {
            int mine = keys[i];
            keys[i] = keys[other];
            keys[other] = mine;
        }
    }
}
)";

task::Expression expression(const std::string& text) { return *task::Expression::parse(text); }

task::Repeat loop(const std::string& variable, const std::string& from, const std::string& condition, const std::string& next) {
    return {variable, expression(from), expression(condition), expression(next), {}, {}};
}

// for (k = 2; k <= n; k *= 2) for (j = k / 2; j > 0; j /= 2)
task::Task sorting(const std::string& source) {
    task::Task task = task_of(source, {"ceil_div(n, 256)"}, {256});
    task::Step& step = task.plan.steps.front();
    step.repeats = {loop("k", "2", "k <= n", "2 * k"), loop("j", "k / 2", "j > 0", "j / 2")};
    for (const std::size_t argument : {1, 2}) {
        step.launch.arguments[argument].scalar_argument.clear();
        step.launch.arguments[argument].value = expression(argument == 1 ? "j" : "k");
    }
    return task;
}

bool is_offered(task::Task task) {
    task::Candidate original = task::original_of(task);
    const auto state = analysed(std::move(task), std::move(original));
    return applied(*state, "launch_fusion", {{"block", 1024}}).has_value();
}

std::string replaced(std::string text, const std::string& before, const std::string& after) {
    return text.replace(text.find(before), before.size(), after);
}

TEST(LaunchFusion, AddsAKernelForTheRoundsWithinABlock) {
    const task::Candidate fused = applied_all(sorting(sort), {{"launch_fusion", {{"block", 1024}}}});
    EXPECT_EQ(fused.source, sort.substr(0, sort.size() - 1) + R"(

// The same for all distances from j on: with j < blockDim.x, a power of two, i and i ^ j are threads of
// one block.
__global__ void sort_within_blocks(int* keys, int j, int k, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (; j > 0; j /= 2) {
        int other = i ^ j;
        // the lower of the two exchanges
        if (i < n && other > i) {
            if ((keys[i] > keys[other]) == ((i & k) == 0)) {
                int mine = keys[i];
                keys[i] = keys[other];
                keys[other] = mine;
            }
        }
        __syncthreads();
    }
}
)");
    ASSERT_EQ(fused.plan.steps.size(), 2u);
    const task::Step& apart = fused.plan.steps[0];
    const task::Step& within = fused.plan.steps[1];
    ASSERT_EQ(apart.repeats.size(), 2u);
    EXPECT_EQ(apart.repeats[1].condition, expression("j >= 1024"));
    EXPECT_EQ(apart.launch.block[0], task::Expression(256));
    ASSERT_EQ(within.repeats.size(), 1u);
    EXPECT_EQ(within.repeats[0], apart.repeats[0]);  // one loop around both
    EXPECT_FALSE(within.repeats[0].group.empty());
    EXPECT_EQ(within.launch.kernel, "sort_within_blocks");
    EXPECT_EQ(within.launch.grid[0], expression("ceil_div(n, 1024)"));
    EXPECT_EQ(within.launch.block[0], task::Expression(1024));
    EXPECT_EQ(within.launch.arguments[1].value, expression("min(k / 2, 512)"));
    EXPECT_EQ(within.launch.arguments[2].value, expression("k"));
}

TEST(LaunchFusion, IsNotForPartnersOutsideTheBlock) {
    EXPECT_TRUE(is_offered(sorting(sort)));
    EXPECT_FALSE(is_offered(sorting(replaced(sort, "i ^ j", "i + j"))));
    EXPECT_FALSE(is_offered(sorting(replaced(sort, "i ^ j", "i ^ k"))));
    EXPECT_FALSE(is_offered(sorting(replaced(sort, "keys[i] = keys[other]", "keys[i] = keys[other + 1]"))));
}

TEST(LaunchFusion, NeedsDistancesThatHalveFromAPowerOfTwo) {
    const auto with_rounds = [](const task::Repeat& rounds) {
        task::Task task = sorting(sort);
        task.plan.steps.front().repeats.back() = rounds;
        return task;
    };
    EXPECT_TRUE(is_offered(with_rounds(loop("j", "256", "j > 0", "j / 2"))));
    EXPECT_FALSE(is_offered(with_rounds(loop("j", "384", "j > 0", "j / 2"))));
    EXPECT_FALSE(is_offered(with_rounds(loop("j", "n", "j > 0", "j / 2"))));
    EXPECT_FALSE(is_offered(with_rounds(loop("j", "k / 2", "j > 1", "j / 2"))));
    EXPECT_FALSE(is_offered(with_rounds(loop("j", "k / 2", "j > 0", "j - 1"))));
}

TEST(LaunchFusion, NeedsAllThreadsAtTheBarrier) {
    EXPECT_FALSE(is_offered(sorting(replaced(sort, "int other = i ^ j;", "if (i >= n) return;\n    int other = i ^ j;"))));
    EXPECT_FALSE(is_offered(sorting(replaced(sort, "int j,", "const int j,"))));
}

}  // namespace
}  // namespace optiml::transforms::testing
