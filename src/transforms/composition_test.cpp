#include "transforms/testing.h"

namespace optiml::transforms::testing {
namespace {

const std::string softmax = R"(__global__ void softmax(const float* x, float* y, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float largest = __int_as_float(0xff800000);
    for (int c = 0; c < cols; ++c) largest = fmaxf(largest, x[row * cols + c]);
    float sum = 0.0f;
    for (int c = 0; c < cols; ++c) sum += expf(x[row * cols + c] - largest);
    for (int c = 0; c < cols; ++c) y[row * cols + c] = expf(x[row * cols + c] - largest) / sum;
}
)";

const std::string dot = R"(__global__ void dot(const float* x, const float* y, float* result, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(result, x[i] * y[i]);
}
)";

const std::string copy = R"(__global__ void copy(const float* a, float* b, int rows, int cols) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols) b[row * cols + col] = a[row * cols + col];
}
)";

bool holds(const task::Candidate& candidate, std::string_view text) { return candidate.source.find(text) != std::string::npos; }

TEST(Composition, ARowSharedThenWideUnrolledAndBounded) {
    const task::Candidate candidate = applied_all(task_of(softmax, {"ceil_div(rows, 128)"}, {128}),
                                                  {{"shared_row_loop", {{"threads_per_row", 256}}},
                                                   {"vectorized_access", {{"width", 4}}},
                                                   {"unroll", {{"factor", 4}}},
                                                   {"read_only_loads", {{"intrinsic", 0}}},
                                                   {"launch_bounds", {{"blocks_per_multiprocessor", 8}}}});
    EXPECT_TRUE(holds(candidate, "__launch_bounds__(256, 8) softmax(const float* __restrict__ x, float* __restrict__ y")) << candidate.source;
    EXPECT_TRUE(holds(candidate, "    #pragma unroll 4\n    for (int c = 4 * lane; c < vector_end; c += 1024) {\n")) << candidate.source;
    EXPECT_EQ(candidate.edits.size(), 5u);
    EXPECT_EQ(candidate.plan.steps[0].launch.block[0].text(), "256");
}

TEST(Composition, BlockReductionThenWide) {
    const task::Candidate candidate = applied_all(task_of(dot, {"ceil_div(n, 256)"}, {256}),
                                                  {{"block_reduction", {{"block", 256}, {"blocks", 528}}},
                                                   {"vectorized_access", {{"width", 4}}},
                                                   {"unroll", {{"factor", 2}}}});
    EXPECT_TRUE(holds(candidate, "sum += x_values[k] * y_values[k];")) << candidate.source;
    EXPECT_TRUE(holds(candidate, "sum = block_sum(sum);")) << candidate.source;
}

TEST(Composition, ShapedThenWideThenCoarsened) {
    const task::Candidate candidate = applied_all(task_of(copy, {"ceil_div(cols, 32)", "ceil_div(rows, 8)"}, {32, 8}),
                                                  {{"block_shape", {{"x", 32}, {"y", 16}, {"z", 1}}},
                                                   {"vectorized_access", {{"width", 4}}},
                                                   {"thread_coarsening", {{"elements", 4}, {"contiguous", 0}}}});
    EXPECT_TRUE(holds(candidate, "int row = first_row + element * blockDim.y;")) << candidate.source;
    EXPECT_EQ(candidate.plan.steps[0].launch.grid[0].text(), "ceil_div(cols, 128)");
    EXPECT_EQ(candidate.plan.steps[0].launch.grid[1].text(), "ceil_div(rows, 64)");
}

// Loops of a device function are rewritten where it stands; a constant length needs no loop for a rest.
TEST(Composition, LoopsOfCalledFunctions) {
    const std::string text = R"(__device__ float norm(const float* v) {
    float sum = 0.0f;
    for (int d = 0; d < 64; ++d) sum += v[d] * v[d];
    return sum;
}
__global__ void norms(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = norm(x + 64 * i);
}
)";
    const task::Candidate candidate = applied_all(task_of(text, {"ceil_div(n, 256)"}, {256}), {{"unroll", {{"factor", 64}}}});
    EXPECT_TRUE(holds(candidate, "    #pragma unroll 64\n    for (int d = 0; d < 64; ++d) sum")) << candidate.source;
    const auto state = analysed(task_of(text, {"ceil_div(n, 256)"}, {256}), task::original_of(task_of(text, {"ceil_div(n, 256)"}, {256})));
    const Transformation* vectorized = find_transformation("vectorized_access");
    for (const Site& site : vectorized->sites(state->context)) {
        if (site.description.find("loop over d in norm") == std::string::npos) continue;
        const auto wide = vectorized->apply(state->context, site, {{"width", 4}});
        ASSERT_TRUE(wide);
        EXPECT_TRUE(holds(*wide, "    if (reinterpret_cast<size_t>(v) % 16 == 0) {\n        for (int d = 0; d < 64; d += 4) {")) << wide->source;
        return;
    }
    ADD_FAILURE() << "the loop is not offered";
}

// The second reduction of a kind uses the function that the first one brought.
TEST(Composition, FunctionsAreWrittenOnce) {
    const std::string two = dot + R"(
__global__ void norm(const float* x, float* result, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(result, x[i] * x[i]);
}
)";
    task::Task task = task_of(two, {"ceil_div(n, 256)"}, {256});
    task::Step second = task.plan.steps.front();
    second.launch.kernel = "norm";
    second.launch.arguments.erase(second.launch.arguments.begin() + 1);
    task.plan.steps.push_back(second);
    const Parameters parameters = {{"block", 256}, {"blocks", 528}};
    const task::Candidate candidate = applied_all(task, {{"block_reduction", parameters}, {"block_reduction", parameters}});
    const std::size_t first = candidate.source.find("float block_sum(float value)");
    EXPECT_NE(first, std::string::npos) << candidate.source;
    EXPECT_EQ(candidate.source.find("float block_sum", first + 1), std::string::npos) << candidate.source;
    EXPECT_EQ(candidate.source.find("block_sum_float"), std::string::npos) << candidate.source;
}

// The types and constants of a template are known where the plan launches one instance of it.
TEST(Templates, AreRewrittenForTheOneInstanceThatIsLaunched) {
    const std::string source = "template <int N> __global__ void scale(const float* x, float* y, int n) {\n"
                               "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) y[i] = N * x[i];\n}\n";
    task::Task task = testing::task_of(source, {"ceil_div(n, 256)"}, {256});
    const auto rewritten = [&] {
        const auto analysed = testing::analysed(task, task::original_of(task));
        return testing::applied(*analysed, "vectorized_access", {{"width", 4}});
    };
    task.plan.steps[0].launch.kernel = "scale<3>";
    const auto candidate = rewritten();
    ASSERT_TRUE(candidate);
    EXPECT_NE(candidate->source.find("float4"), std::string::npos);
    EXPECT_EQ(candidate->plan.steps[0].launch.kernel, "scale<3>");
    task.plan.steps.push_back(task.plan.steps[0]);
    task.plan.steps[1].launch.kernel = "scale<5>";
    EXPECT_FALSE(rewritten());
}

}  // namespace
}  // namespace optiml::transforms::testing
