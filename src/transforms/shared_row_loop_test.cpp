#include "transforms/testing.h"

namespace optiml::transforms::testing {
namespace {

class SharedRowLoopTest : public ::testing::TestWithParam<Case> {};
TEST_P(SharedRowLoopTest, Rewrites) { expect_rewritten(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Table, SharedRowLoopTest, ::testing::Values(
    Case{.name = "a_warp_a_row",
         .before = R"(// softmax of a row
__global__ void softmax(const float* x, float* y, int rows, int cols)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    const float* in = x + row * cols;
    float m = in[0];
    for (int c = 1; c < cols; ++c) {
        if (in[c] > m) m = in[c];
    }
    float s = 0.0f;
    for (int c = 0; c < cols; ++c) s += expf(in[c] - m);  // not 0
    for (int c = 0; c < cols; ++c) y[row * cols + c] = expf(in[c] - m) / s;
}
)",
         .grid = {"ceil_div(rows, 128)"}, .block = {128},
         .transformation = "shared_row_loop", .parameters = {{"threads_per_row", 32}},
         .after = R"(// Maximum over the lanes of the warp; every lane gets it.
static __device__ __forceinline__ float warp_max(float value)
{
    for (int offset = 16; offset > 0; offset /= 2) value = fmaxf(value, __shfl_xor_sync(0xffffffff, value, offset));
    return value;
}

// Sum over the lanes of the warp; every lane gets it.
static __device__ __forceinline__ float warp_sum(float value)
{
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffff, value, offset);
    return value;
}

// softmax of a row
__global__ void softmax(const float* x, float* y, int rows, int cols)
{
    int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    if (row >= rows) return;
    const float* in = x + row * cols;
    float m = in[0];
    for (int c = 1 + lane; c < cols; c += 32) {
        if (in[c] > m) m = in[c];
    }
    m = warp_max(m);
    float s = 0.0f;
    for (int c = lane; c < cols; c += 32) s += expf(in[c] - m);  // not 0
    s = warp_sum(s);
    for (int c = lane; c < cols; c += 32) y[row * cols + c] = expf(in[c] - m) / s;
}
)",
         .grid_after = {"ceil_div(rows, 4)"}, .block_after = {128}},
    Case{.name = "one_thread_of_each_warp_a_row",
         .before = R"(__global__ void column_sums(const float* x, float* sums, int rows, int cols) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (col >= cols) return;
    float sum = 0.0f;
    for (int r = 0; r < rows; ++r) sum += x[r * cols + col];
    sums[col] = sum;
}
)",
         .grid = {"ceil_div(cols, 256)"}, .block = {256},
         .transformation = "shared_row_loop", .parameters = {{"warps_per_row", 8}},
         .after = R"(// Sum over the threads of the block that have the same lane; every one gets it.
static __device__ __forceinline__ float warps_sum(float value) {
    __shared__ float partial[1024];
    __syncthreads();  // partial may still be read from the call before
    partial[threadIdx.x] = value;
    __syncthreads();
    value = partial[threadIdx.x % 32];
    for (unsigned int other = threadIdx.x % 32 + 32; other < blockDim.x; other += 32) value = value + partial[other];
    return value;
}

__global__ void column_sums(const float* x, float* sums, int rows, int cols) {
    int col = blockIdx.x * 32 + threadIdx.x % 32;
    const int lane = threadIdx.x / 32;
    if (col >= cols) return;
    float sum = 0.0f;
    for (int r = lane; r < rows; r += 8) sum += x[r * cols + col];
    sum = warps_sum(sum);
    if (lane == 0) sums[col] = sum;
}
)",
         .grid_after = {"ceil_div(cols, 32)"}, .block_after = {256}},
    Case{.name = "rows_that_branch_apart_do_not_share_barriers",
         .before = R"(__global__ void column_sums(const float* x, float* sums, int rows, int cols) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (col >= cols) return;
    float sum = 0.0f;
    if (x[col] > 0.0f) {
        for (int r = 0; r < rows; ++r) sum += x[r * cols + col];
    }
    sums[col] = sum;
}
)",
         .grid = {"ceil_div(cols, 256)"}, .block = {256},
         .transformation = "shared_row_loop", .parameters = {{"warps_per_row", 8}}, .after = "", .grid_after = {}, .block_after = {}},
    Case{.name = "a_block_a_row",
         .before = R"(__global__ void statistics(const float* x, float* mean, int* positive, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0.5f;
    int count = 0;
    for (int c = 0; c < cols; ++c) {
        sum += x[row * cols + c];
        if (x[row * cols + c] > 0.0f) ++count;
    }
    mean[row] = sum / cols;
    if (count > 3) {
        positive[row] = count;
    } else
        positive[row] = 0;
}
)",
         .grid = {"ceil_div(rows, 128)"}, .block = {128},
         .transformation = "shared_row_loop", .parameters = {{"threads_per_row", 256}},
         .after = R"(// Sum over the lanes of the warp; every lane gets it.
static __device__ __forceinline__ float warp_sum(float value) {
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffff, value, offset);
    return value;
}

// Sum over the threads of the block (a multiple of 32 along x); every thread gets it.
static __device__ __forceinline__ float block_sum(float value) {
    __shared__ float partial[32];
    const unsigned int lane = threadIdx.x % 32;
    const unsigned int warps = blockDim.x / 32;
    value = warp_sum(value);
    __syncthreads();  // partial may still be read from the call before
    if (lane == 0) partial[threadIdx.x / 32] = value;
    __syncthreads();
    return warp_sum(lane < warps ? partial[lane] : 0.0f);
}

// Sum over the lanes of the warp; every lane gets it.
static __device__ __forceinline__ int warp_sum_int(int value) {
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffff, value, offset);
    return value;
}

// Sum over the threads of the block (a multiple of 32 along x); every thread gets it.
static __device__ __forceinline__ int block_sum_int(int value) {
    __shared__ int partial[32];
    const unsigned int lane = threadIdx.x % 32;
    const unsigned int warps = blockDim.x / 32;
    value = warp_sum_int(value);
    __syncthreads();  // partial may still be read from the call before
    if (lane == 0) partial[threadIdx.x / 32] = value;
    __syncthreads();
    return warp_sum_int(lane < warps ? partial[lane] : 0);
}

__global__ void statistics(const float* x, float* mean, int* positive, int rows, int cols) {
    int row = blockIdx.x;
    const int lane = threadIdx.x;
    if (row >= rows) return;
    float sum = 0.5f;
    int count = 0;
    if (lane != 0) sum = 0.0f;
    for (int c = lane; c < cols; c += 256) {
        sum += x[row * cols + c];
        if (x[row * cols + c] > 0.0f) ++count;
    }
    sum = block_sum(sum);
    count = block_sum_int(count);
    if (lane == 0) mean[row] = sum / cols;
    if (count > 3) {
        if (lane == 0) positive[row] = count;
    } else
        { if (lane == 0) positive[row] = 0; }
}
)",
         .grid_after = {"rows"}, .block_after = {256}},
    Case{.name = "online_maximum_and_sum",
         .before = R"(__global__ void lse(const float* x, float* loss, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        float m = __int_as_float(0xff800000), s = 0.0f;
        for (int c = 0; c < cols; ++c) {
            float v = x[row * cols + c];
            float k = fmaxf(m, v);
            s = s * __expf(m - k) + __expf(v - k);
            m = k;
        }
        loss[row] = __logf(s) + m;
    }
}
)",
         .grid = {"ceil_div(rows, 128)"}, .block = {128},
         .transformation = "shared_row_loop", .parameters = {{"threads_per_row", 32}},
         .after = R"(// Maximum over the lanes of the warp; every lane gets it.
static __device__ __forceinline__ float warp_max(float value) {
    for (int offset = 16; offset > 0; offset /= 2) value = fmaxf(value, __shfl_xor_sync(0xffffffff, value, offset));
    return value;
}

// Sum over the lanes of the warp; every lane gets it.
static __device__ __forceinline__ float warp_sum(float value) {
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffff, value, offset);
    return value;
}

__global__ void lse(const float* x, float* loss, int rows, int cols) {
    int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    if (row < rows) {
        float m = __int_as_float(0xff800000), s = 0.0f;
        for (int c = lane; c < cols; c += 32) {
            float v = x[row * cols + c];
            float k = fmaxf(m, v);
            s = s * __expf(m - k) + __expf(v - k);
            m = k;
        }
        const float common_m = warp_max(m);
        const float scale_of_m = m == common_m ? 1.0f : __expf(m - common_m);
        s = warp_sum(s * scale_of_m);
        m = common_m;
        if (lane == 0) loss[row] = __logf(s) + m;
    }
}
)",
         .grid_after = {"ceil_div(rows, 4)"}, .block_after = {128}},
    Case{.name = "waits_for_what_other_lanes_wrote",
         .before = R"(__global__ void k(const float* x, float* y, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    for (int c = 0; c < cols; ++c) y[row * cols + c] = 2.0f * x[row * cols + c];
    for (int c = 0; c < cols; ++c) y[row * cols + c] += 1.0f;
    float last = y[row * cols + cols - 1];
    for (int c = 0; c < cols; ++c) y[row * cols + c] -= last;
}
)",
         .grid = {"ceil_div(rows, 128)"}, .block = {128},
         .transformation = "shared_row_loop", .parameters = {{"threads_per_row", 64}},
         .after = R"(__global__ void k(const float* x, float* y, int rows, int cols) {
    int row = blockIdx.x;
    const int lane = threadIdx.x;
    if (row >= rows) return;
    for (int c = lane; c < cols; c += 64) y[row * cols + c] = 2.0f * x[row * cols + c];
    for (int c = lane; c < cols; c += 64) y[row * cols + c] += 1.0f;
    __syncthreads();
    float last = y[row * cols + cols - 1];
    __syncthreads();
    for (int c = lane; c < cols; c += 64) y[row * cols + c] -= last;
}
)",
         .grid_after = {"rows"}, .block_after = {64}},
    Case{.name = "not_a_recurrence",
         .before = R"(__global__ void k(const float* x, float* y, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float level = 0.0f;
    for (int c = 0; c < cols; ++c) {
        level = 0.9f * level + x[row * cols + c];
        y[row * cols + c] = level;
    }
}
)",
         .grid = {"ceil_div(rows, 128)"}, .block = {128},
         .transformation = "shared_row_loop", .parameters = {{"threads_per_row", 32}},
         .after = "", .grid_after = {}, .block_after = {}},
    Case{.name = "not_what_the_iteration_before_wrote",
         .before = R"(__global__ void k(float* y, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    for (int c = 1; c < cols; ++c) y[row * cols + c] += y[row * cols + c - 1];
}
)",
         .grid = {"ceil_div(rows, 128)"}, .block = {128},
         .transformation = "shared_row_loop", .parameters = {{"threads_per_row", 32}},
         .after = "", .grid_after = {}, .block_after = {}},
    Case{.name = "not_a_loop_that_stops_early",
         .before = R"(__global__ void k(const float* x, int* y, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    int found = 0;
    for (int c = 0; c < cols; ++c) {
        if (x[row * cols + c] < 0.0f) break;
        found += 1;
    }
    y[row] = found;
}
)",
         .grid = {"ceil_div(rows, 128)"}, .block = {128},
         .transformation = "shared_row_loop", .parameters = {{"threads_per_row", 32}},
         .after = "", .grid_after = {}, .block_after = {}}),
    name_of);

}  // namespace
}  // namespace optiml::transforms::testing
