#include "transforms/testing.h"

namespace optiml::transforms::testing {
namespace {

class BlockReductionTest : public ::testing::TestWithParam<Case> {};
TEST_P(BlockReductionTest, Rewrites) { expect_rewritten(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Table, BlockReductionTest, ::testing::Values(
    Case{.name = "sum",
         .before = R"(__global__ void dot(const float* x, const float* y, float* sum, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        // every thread its product
        atomicAdd(sum, x[i] * y[i]);
    }
}
)",
         .grid = {"ceil_div(n, 256)"}, .block = {256},
         .transformation = "block_reduction", .parameters = {{"block", 512}, {"blocks", 528}},
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

__global__ void dot(const float* x, const float* y, float* sum, int n) {
    float total = 0.0f;
    for (long long i_wide = blockIdx.x * blockDim.x + threadIdx.x; i_wide < n; i_wide += gridDim.x * blockDim.x) {
        const int i = i_wide;
        // every thread its product
        total += x[i] * y[i];
    }
    total = block_sum(total);
    if (threadIdx.x == 0) atomicAdd(sum, total);
}
)",
         .grid_after = {"min(ceil_div(n, 512), 528)"}, .block_after = {512}},
    Case{.name = "several_in_one_kernel",
         .before = R"(__global__ void extremes(const int* x, int* lowest, int* highest, unsigned int* positive, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int v = x[i];
    atomicMin(lowest, v);
    atomicMax(&highest[0], v);
    if (v > 0) atomicAdd(positive, 1u);
}
)",
         .grid = {"ceil_div(n, 256)"}, .block = {256},
         .transformation = "block_reduction", .parameters = {{"block", 256}, {"blocks", 1056}},
         .after = R"(// Minimum over the lanes of the warp; every lane gets it.
static __device__ __forceinline__ int warp_min(int value) {
    for (int offset = 16; offset > 0; offset /= 2) value = min(value, __shfl_xor_sync(0xffffffff, value, offset));
    return value;
}

// Minimum over the threads of the block (a multiple of 32 along x); every thread gets it.
static __device__ __forceinline__ int block_min(int value) {
    __shared__ int partial[32];
    const unsigned int lane = threadIdx.x % 32;
    const unsigned int warps = blockDim.x / 32;
    value = warp_min(value);
    __syncthreads();  // partial may still be read from the call before
    if (lane == 0) partial[threadIdx.x / 32] = value;
    __syncthreads();
    return warp_min(partial[lane < warps ? lane : 0]);
}

// Maximum over the lanes of the warp; every lane gets it.
static __device__ __forceinline__ int warp_max(int value) {
    for (int offset = 16; offset > 0; offset /= 2) value = max(value, __shfl_xor_sync(0xffffffff, value, offset));
    return value;
}

// Maximum over the threads of the block (a multiple of 32 along x); every thread gets it.
static __device__ __forceinline__ int block_max(int value) {
    __shared__ int partial[32];
    const unsigned int lane = threadIdx.x % 32;
    const unsigned int warps = blockDim.x / 32;
    value = warp_max(value);
    __syncthreads();  // partial may still be read from the call before
    if (lane == 0) partial[threadIdx.x / 32] = value;
    __syncthreads();
    return warp_max(partial[lane < warps ? lane : 0]);
}

// Sum over the lanes of the warp; every lane gets it.
static __device__ __forceinline__ unsigned int warp_sum(unsigned int value) {
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffff, value, offset);
    return value;
}

// Sum over the threads of the block (a multiple of 32 along x); every thread gets it.
static __device__ __forceinline__ unsigned int block_sum(unsigned int value) {
    __shared__ unsigned int partial[32];
    const unsigned int lane = threadIdx.x % 32;
    const unsigned int warps = blockDim.x / 32;
    value = warp_sum(value);
    __syncthreads();  // partial may still be read from the call before
    if (lane == 0) partial[threadIdx.x / 32] = value;
    __syncthreads();
    return warp_sum(lane < warps ? partial[lane] : 0u);
}

__global__ void extremes(const int* x, int* lowest, int* highest, unsigned int* positive, int n) {
    int smallest = 2147483647;
    int largest = -2147483647 - 1;
    unsigned int sum = 0u;
    for (long long i_wide = blockIdx.x * blockDim.x + threadIdx.x; i_wide < n; i_wide += gridDim.x * blockDim.x) {
        const int i = i_wide;
        int v = x[i];
        smallest = min(smallest, v);
        largest = max(largest, v);
        if (v > 0) sum += 1u;
    }
    smallest = block_min(smallest);
    largest = block_max(largest);
    sum = block_sum(sum);
    if (threadIdx.x == 0) atomicMin(lowest, smallest);
    if (threadIdx.x == 0) atomicMax(&highest[0], largest);
    if (threadIdx.x == 0) atomicAdd(positive, sum);
}
)",
         .grid_after = {"min(ceil_div(n, 256), 1056)"}, .block_after = {256}},
    Case{.name = "not_an_address_of_each_thread",
         .before = R"(__global__ void count(const unsigned char* x, int* counts, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&counts[x[i]], 1);
}
)",
         .grid = {"ceil_div(n, 256)"}, .block = {256},
         .transformation = "block_reduction", .parameters = {{"block", 256}, {"blocks", 1056}},
         .after = "", .grid_after = {}, .block_after = {}},
    Case{.name = "not_where_the_old_value_is_used",
         .before = R"(__global__ void append(const int* x, int* count, int* list, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int place = atomicAdd(count, 1);
        list[place] = x[i];
    }
}
)",
         .grid = {"ceil_div(n, 256)"}, .block = {256},
         .transformation = "block_reduction", .parameters = {{"block", 256}, {"blocks", 1056}},
         .after = "", .grid_after = {}, .block_after = {}}),
    name_of);

}  // namespace
}  // namespace optiml::transforms::testing
