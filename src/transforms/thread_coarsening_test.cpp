#include "transforms/testing.h"

namespace optiml::transforms::testing {
namespace {

class ThreadCoarseningTest : public ::testing::TestWithParam<Case> {};
TEST_P(ThreadCoarseningTest, Rewrites) { expect_rewritten(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Table, ThreadCoarseningTest, ::testing::Values(
    Case{.name = "strided",
         .before = R"(// one thread an element
__global__ void relu(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = fmaxf(x[i], 0.0f);  // negative values become 0
    }
}
)",
         .grid = {"ceil_div(n, 256)"}, .block = {256},
         .transformation = "thread_coarsening", .parameters = {{"elements", 4}, {"contiguous", 0}},
         .after = R"(// one thread an element
__global__ void relu(const float* x, float* y, int n) {
    const int first_i = blockIdx.x * blockDim.x * 4 + threadIdx.x;
    #pragma unroll
    for (int element = 0; element < 4; ++element) {
        int i = first_i + element * blockDim.x;
        if (i < n) {
            y[i] = fmaxf(x[i], 0.0f);  // negative values become 0
        }
    }
}
)",
         .grid_after = {"ceil_div(n, 1024)"}, .block_after = {256}},
    Case{.name = "contiguous",
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
         .transformation = "thread_coarsening", .parameters = {{"elements", 2}, {"contiguous", 1}},
         .after = R"(#define SCALE 2.0f

extern "C" __global__ void scale(const float *x, float *y, int n)
{
  const int tid = threadIdx.x;
  const int first_i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  #pragma unroll
  for (int element = 0; element < 2; ++element)
  {
    const int i = first_i + element;
    if (i >= n)
      return;
    /* macros stay */
    y[i] = SCALE * x[i];
  }
}
)",
         .grid_after = {"ceil_div(n, 512)"}, .block_after = {256}},
    Case{.name = "rows_of_two_dimensions",
         .before = R"(__global__ void copy(const float* a, float* b, int rows, int cols) {
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols) b[row * cols + col] = a[row * cols + col];
}
)",
         .grid = {"ceil_div(cols, 32)", "ceil_div(rows, 8)"}, .block = {32, 8},
         .transformation = "thread_coarsening", .parameters = {{"elements", 4}, {"contiguous", 0}},
         .after = R"(__global__ void copy(const float* a, float* b, int rows, int cols) {
    const int first_col = blockIdx.x * blockDim.x * 4 + threadIdx.x;
    #pragma unroll
    for (int element = 0; element < 4; ++element) {
        const int col = first_col + element * blockDim.x;
        const int row = blockIdx.y * blockDim.y + threadIdx.y;
        if (row < rows && col < cols) b[row * cols + col] = a[row * cols + col];
    }
}
)",
         .grid_after = {"ceil_div(cols, 128)", "ceil_div(rows, 8)"}, .block_after = {32, 8}},
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
         .transformation = "thread_coarsening", .parameters = {{"elements", 2}, {"contiguous", 0}},
         .after = R"(__global__ void k(const float* x, float* y, int n) {
    const int first_i = blockIdx.x * blockDim.x * 2 + threadIdx.x;
    #pragma unroll
    for (int element = 0; element < 2; ++element) {
        int i = first_i + element * blockDim.x;
        if (i >= n) return;
        float v = x[i];
        if (v < 0.0f) continue;
        y[i] = sqrtf(v);
    }
}
)",
         .grid_after = {"ceil_div(n, 512)"}, .block_after = {256}},
    Case{.name = "index_of_64_bits",
         .before = R"(__global__ void k(const float* x, float* y, size_t n) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i];
}
)",
         .grid = {"ceil_div(n, 256)"}, .block = {256},
         .transformation = "thread_coarsening", .parameters = {{"elements", 2}, {"contiguous", 0}},
         .after = R"(__global__ void k(const float* x, float* y, size_t n) {
    const size_t first_i = static_cast<size_t>(blockIdx.x) * blockDim.x * 2 + threadIdx.x;
    #pragma unroll
    for (int element = 0; element < 2; ++element) {
        size_t i = first_i + element * blockDim.x;
        if (i < n) y[i] = x[i];
    }
}
)",
         .grid_after = {"ceil_div(n, 512)"}, .block_after = {256}},
    Case{.name = "not_out_of_an_inner_loop",
         .before = R"(__global__ void k(const int* x, int* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (int j = 0; j < n; ++j) {
        if (x[j] == i) return;
    }
    y[i] = 1;
}
)",
         .grid = {"ceil_div(n, 256)"}, .block = {256},
         .transformation = "thread_coarsening", .parameters = {{"elements", 2}, {"contiguous", 0}},
         .after = "", .grid_after = {}, .block_after = {}},
    Case{.name = "not_past_a_barrier",
         .before = R"(__global__ void k(const float* x, float* y, int n) {
    __shared__ float tile[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = i < n ? x[i] : 0.0f;
    __syncthreads();
    if (i < n) y[i] = tile[255 - threadIdx.x];
}
)",
         .grid = {"ceil_div(n, 256)"}, .block = {256},
         .transformation = "thread_coarsening", .parameters = {{"elements", 2}, {"contiguous", 0}},
         .after = "", .grid_after = {}, .block_after = {}},
    Case{.name = "not_with_a_variable_from_before",
         .before = R"(__global__ void k(const float* x, float* y, int n, int m) {
    int seed = m;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    seed = seed * 5 + i;
    y[i] = x[i] * seed;
}
)",
         .grid = {"ceil_div(n, 256)"}, .block = {256},
         .transformation = "thread_coarsening", .parameters = {{"elements", 2}, {"contiguous", 0}},
         .after = "", .grid_after = {}, .block_after = {}},
    Case{.name = "not_where_the_index_could_wrap",
         .before = R"(// one thread an element
__global__ void relu(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = fmaxf(x[i], 0.0f);  // negative values become 0
    }
}
)",
         .grid = {"ceil_div(n, 96)"}, .block = {96},
         .transformation = "thread_coarsening", .parameters = {{"elements", 2}, {"contiguous", 0}},
         .after = "", .grid_after = {}, .block_after = {}}),
    name_of);

}  // namespace
}  // namespace optiml::transforms::testing
