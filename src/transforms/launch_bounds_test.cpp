#include "transforms/testing.h"

namespace optiml::transforms::testing {
namespace {

class LaunchBoundsTest : public ::testing::TestWithParam<Case> {};
TEST_P(LaunchBoundsTest, Rewrites) { expect_rewritten(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Table, LaunchBoundsTest, ::testing::Values(
    Case{.name = "threads",
         .before = R"(// one thread an element
__global__ void relu(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = fmaxf(x[i], 0.0f);  // negative values become 0
    }
}
)",
         .grid = {"ceil_div(n, 256)"}, .block = {256},
         .transformation = "launch_bounds", .parameters = {{"blocks_per_multiprocessor", 0}},
         .after = R"(// one thread an element
__global__ void __launch_bounds__(256) relu(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = fmaxf(x[i], 0.0f);  // negative values become 0
    }
}
)",
         .grid_after = {"ceil_div(n, 256)"}, .block_after = {256}},
    Case{.name = "threads_and_blocks",
         .before = R"(__global__ void copy(const float* a, float* b, int rows, int cols) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols) b[row * cols + col] = a[row * cols + col];
}
)",
         .grid = {"1", "1"}, .block = {32, 8},
         .transformation = "launch_bounds", .parameters = {{"blocks_per_multiprocessor", 4}},
         .after = R"(__global__ void __launch_bounds__(256, 4) copy(const float* a, float* b, int rows, int cols) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols) b[row * cols + col] = a[row * cols + col];
}
)",
         .grid_after = {"1", "1"}, .block_after = {32, 8}},
    Case{.name = "in_place_of_others",
         .before = R"(__global__ void __launch_bounds__(256, 2) k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i];
}
)",
         .grid = {"ceil_div(n, 256)"}, .block = {256},
         .transformation = "launch_bounds", .parameters = {{"blocks_per_multiprocessor", 8}},
         .after = R"(__global__ void __launch_bounds__(256, 8) k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i];
}
)",
         .grid_after = {"ceil_div(n, 256)"}, .block_after = {256}},
    Case{.name = "not_those_that_are_there",
         .before = R"(__global__ void __launch_bounds__(256, 2) k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i];
}
)",
         .grid = {"ceil_div(n, 256)"}, .block = {256},
         .transformation = "launch_bounds", .parameters = {{"blocks_per_multiprocessor", 2}},
         .after = "", .grid_after = {}, .block_after = {}},
    Case{.name = "not_more_threads_than_fit",
         .before = R"(// one thread an element
__global__ void relu(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = fmaxf(x[i], 0.0f);  // negative values become 0
    }
}
)",
         .grid = {"ceil_div(n, 512)"}, .block = {512},
         .transformation = "launch_bounds", .parameters = {{"blocks_per_multiprocessor", 8}},
         .after = "", .grid_after = {}, .block_after = {}}),
    name_of);

}  // namespace
}  // namespace optiml::transforms::testing
