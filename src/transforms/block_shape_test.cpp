#include "transforms/testing.h"

namespace optiml::transforms::testing {
namespace {

class BlockShapeTest : public ::testing::TestWithParam<Case> {};
TEST_P(BlockShapeTest, Rewrites) { expect_rewritten(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Table, BlockShapeTest, ::testing::Values(
    Case{.name = "smaller_blocks",
         .before = R"(// one thread an element
__global__ void relu(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = fmaxf(x[i], 0.0f);  // negative values become 0
    }
}
)",
         .grid = {"ceil_div(n, 256)"}, .block = {256},
         .transformation = "block_shape", .parameters = {{"x", 128}, {"y", 1}, {"z", 1}},
         .after = R"(// one thread an element
__global__ void relu(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = fmaxf(x[i], 0.0f);  // negative values become 0
    }
}
)",
         .grid_after = {"ceil_div(n, 128)"}, .block_after = {128}},
    Case{.name = "grid_written_with_a_sum",
         .before = R"(#define SCALE 2.0f

extern "C" __global__ void scale(const float *x, float *y, int n)
{
  const int tid = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + tid;
  if (i >= n)
    return;
  /* macros stay */
  y[i] = SCALE * x[i];
}
)",
         .grid = {"(n + 255) / 256"}, .block = {256},
         .transformation = "block_shape", .parameters = {{"x", 512}, {"y", 1}, {"z", 1}},
         .after = R"(#define SCALE 2.0f

extern "C" __global__ void scale(const float *x, float *y, int n)
{
  const int tid = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + tid;
  if (i >= n)
    return;
  /* macros stay */
  y[i] = SCALE * x[i];
}
)",
         .grid_after = {"ceil_div(n, 512)"}, .block_after = {512}},
    Case{.name = "grid_of_another_number",
         .before = R"(// one thread an element
__global__ void relu(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = fmaxf(x[i], 0.0f);  // negative values become 0
    }
}
)",
         .grid = {"n / 100 + 1"}, .block = {256},
         .transformation = "block_shape", .parameters = {{"x", 512}, {"y", 1}, {"z", 1}},
         .after = R"(// one thread an element
__global__ void relu(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = fmaxf(x[i], 0.0f);  // negative values become 0
    }
}
)",
         .grid_after = {"ceil_div((n / 100 + 1) * 256, 512)"}, .block_after = {512}},
    Case{.name = "two_dimensions",
         .before = R"(__global__ void copy(const float* a, float* b, int rows, int cols) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols) b[row * cols + col] = a[row * cols + col];
}
)",
         .grid = {"ceil_div(cols, 16)", "ceil_div(rows, 16)"}, .block = {16, 16},
         .transformation = "block_shape", .parameters = {{"x", 32}, {"y", 16}, {"z", 1}},
         .after = R"(__global__ void copy(const float* a, float* b, int rows, int cols) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols) b[row * cols + col] = a[row * cols + col];
}
)",
         .grid_after = {"ceil_div(cols, 32)", "ceil_div(rows, 16)"}, .block_after = {32, 16}},
    Case{.name = "launch_bounds_follow",
         .before = R"(__global__ void __launch_bounds__(256, 2) k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i];
}
)",
         .grid = {"ceil_div(n, 256)"}, .block = {256},
         .transformation = "block_shape", .parameters = {{"x", 512}, {"y", 1}, {"z", 1}},
         .after = R"(__global__ void __launch_bounds__(512, 2) k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i];
}
)",
         .grid_after = {"ceil_div(n, 512)"}, .block_after = {512}},
    Case{.name = "unguarded_only_with_as_many_threads",
         .before = R"(__global__ void k(const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i];
}
)",
         .grid = {"n"}, .block = {256},
         .transformation = "block_shape", .parameters = {{"x", 64}, {"y", 1}, {"z", 1}},
         .after = R"(__global__ void k(const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i];
}
)",
         .grid_after = {"n * 4"}, .block_after = {64}},
    Case{.name = "unguarded_not_with_more_threads",
         .before = R"(__global__ void k(const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i];
}
)",
         .grid = {"n"}, .block = {256},
         .transformation = "block_shape", .parameters = {{"x", 512}, {"y", 1}, {"z", 1}},
         .after = "", .grid_after = {}, .block_after = {}},
    Case{.name = "not_with_the_block_size_in_a_macro",
         .before = R"(#define BLOCK 256
__global__ void k(const float* x, float* y, int n) {
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) y[i] = x[i];
}
)",
         .grid = {"ceil_div(n, 256)"}, .block = {256},
         .transformation = "block_shape", .parameters = {{"x", 128}, {"y", 1}, {"z", 1}},
         .after = "", .grid_after = {}, .block_after = {}},
    Case{.name = "not_with_an_array_of_the_block",
         .before = R"(__global__ void k(const float* x, float* y, int n) {
    __shared__ float tile[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = i < n ? x[i] : 0.0f;
    __syncthreads();
    if (i < n) y[i] = tile[255 - threadIdx.x];
}
)",
         .grid = {"ceil_div(n, 256)"}, .block = {256},
         .transformation = "block_shape", .parameters = {{"x", 128}, {"y", 1}, {"z", 1}},
         .after = "", .grid_after = {}, .block_after = {}}),
    name_of);

}  // namespace
}  // namespace optiml::transforms::testing
