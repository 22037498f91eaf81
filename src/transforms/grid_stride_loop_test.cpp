#include "transforms/testing.h"

namespace optiml::transforms::testing {
namespace {

class GridStrideLoopTest : public ::testing::TestWithParam<Case> {};
TEST_P(GridStrideLoopTest, Rewrites) { expect_rewritten(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Table, GridStrideLoopTest, ::testing::Values(
    Case{.name = "in_place_of_the_guard",
         .before = R"(// one thread an element
__global__ void relu(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = fmaxf(x[i], 0.0f);  // negative values become 0
    }
}
)",
         .grid = {"ceil_div(n, 256)"}, .block = {256},
         .transformation = "grid_stride_loop", .parameters = {{"blocks", 1056}},
         .after = R"(// one thread an element
__global__ void relu(const float* x, float* y, int n) {
    for (long long i_wide = blockIdx.x * blockDim.x + threadIdx.x; i_wide < n; i_wide += gridDim.x * blockDim.x) {
        const int i = i_wide;
        y[i] = fmaxf(x[i], 0.0f);  // negative values become 0
    }
}
)",
         .grid_after = {"min(ceil_div(n, 256), 1056)"}, .block_after = {256}},
    Case{.name = "after_a_return",
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
         .grid = {"ceil_div(n, 256)"}, .block = {256},
         .transformation = "grid_stride_loop", .parameters = {{"blocks", 528}},
         .after = R"(#define SCALE 2.0f

extern "C" __global__ void scale(const float *x, float *y, int n)
{
  const int tid = threadIdx.x;
  for (long long i_wide = blockIdx.x * blockDim.x + threadIdx.x; i_wide < n; i_wide += gridDim.x * blockDim.x)
  {
    const int i = i_wide;
    /* macros stay */
    y[i] = SCALE * x[i];
  }
}
)",
         .grid_after = {"min(ceil_div(n, 256), 528)"}, .block_after = {256}},
    Case{.name = "index_of_64_bits",
         .before = R"(__global__ void k(const float* x, float* y, size_t n) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i];
}
)",
         .grid = {"ceil_div(n, 256)"}, .block = {256},
         .transformation = "grid_stride_loop", .parameters = {{"blocks", 1056}},
         .after = R"(__global__ void k(const float* x, float* y, size_t n) {
    for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        y[i] = x[i];
    }
}
)",
         .grid_after = {"min(ceil_div(n, 256), 1056)"}, .block_after = {256}},
    Case{.name = "other_bounds_stay",
         .before = R"(__global__ void copy(const float* a, float* b, int rows, int cols) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols) b[row * cols + col] = a[row * cols + col];
}
)",
         .grid = {"ceil_div(cols, 32)", "ceil_div(rows, 8)"}, .block = {32, 8},
         .transformation = "grid_stride_loop", .parameters = {{"blocks", 264}},
         .after = R"(__global__ void copy(const float* a, float* b, int rows, int cols) {
    for (long long col_wide = blockIdx.x * blockDim.x + threadIdx.x; col_wide < cols; col_wide += gridDim.x * blockDim.x) {
        const int col = col_wide;
        int row = blockIdx.y * blockDim.y + threadIdx.y;
        if (row < rows && col < cols) b[row * cols + col] = a[row * cols + col];
    }
}
)",
         .grid_after = {"min(ceil_div(cols, 32), 264)", "ceil_div(rows, 8)"}, .block_after = {32, 8}},
    Case{.name = "other_returns_continue",
         .before = R"(__global__ void k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i];
    if (v < 0.0f) return;
    y[i] = sqrtf(v);
}
)",
         .grid = {"ceil_div(n, 256)"}, .block = {256},
         .transformation = "grid_stride_loop", .parameters = {{"blocks", 264}},
         .after = R"(__global__ void k(const float* x, float* y, int n) {
    for (long long i_wide = blockIdx.x * blockDim.x + threadIdx.x; i_wide < n; i_wide += gridDim.x * blockDim.x) {
        const int i = i_wide;
        float v = x[i];
        if (v < 0.0f) continue;
        y[i] = sqrtf(v);
    }
}
)",
         .grid_after = {"min(ceil_div(n, 256), 264)"}, .block_after = {256}},
    Case{.name = "not_without_a_bound",
         .before = R"(__global__ void k(const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i];
}
)",
         .grid = {"n"}, .block = {256},
         .transformation = "grid_stride_loop", .parameters = {{"blocks", 264}},
         .after = "", .grid_after = {}, .block_after = {}}),
    name_of);

}  // namespace
}  // namespace optiml::transforms::testing
