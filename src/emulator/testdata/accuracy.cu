// Sums whose rounding shows, by every way in which a value can travel.
#include <cuda_pipeline.h>
#include <mma.h>
using namespace nvcuda;

extern "C" __global__ void serial_sum(const float* x, float* y, int n) {
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) sum += x[i] * 1.1f;
    y[threadIdx.x] = sum;
}

extern "C" __global__ void double_sum(const double* x, double* y, int n) {
    double sum = 0.0;
    for (int i = 0; i < n; ++i) sum += x[i] * 1.1;
    y[threadIdx.x] = sum;
}

// Registers, shared memory, shuffles and an atomic.
extern "C" __global__ void block_sum(const float* x, float* y, int n) {
    __shared__ float s[8];
    float sum = 0.0f;
    for (int i = threadIdx.x; i < n; i += blockDim.x) sum += x[i] * 1.1f;
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffff, sum, d);
    if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x % 32 == 0) atomicAdd(y, s[threadIdx.x / 32]);
}

__device__ __noinline__ float add(float a, float b) { return a + b; }

// Calls and a local array.
extern "C" __global__ void call_sum(const float* x, float* y, int n, int mask) {
    float parts[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int i = 0; i < n; ++i) parts[i & mask] = add(parts[i & mask], x[i] * 1.1f);
    y[threadIdx.x] = add(add(parts[0], parts[1]), add(parts[2], parts[3]));
}

// The sum is kept in global memory, moved to shared memory asynchronously, and added to.
extern "C" __global__ void async_sum(const float* x, float* y, int n) {
    __shared__ float s;
    y[0] = 0.0f;
    for (int i = 0; i < n; ++i) {
        __pipeline_memcpy_async(&s, y, 4);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        y[0] = s + x[i] * 1.1f;
    }
}

// The sum of a column of products: every element of A is x scaled, B is ones.
extern "C" __global__ void matrix_sum(const float* x, float* y) {
    wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 8, float> c;
    wmma::fill_fragment(c, 0.0f);
    wmma::fill_fragment(b, 1.0f);
    wmma::load_matrix_sync(a, x, 8);
    for (int i = 0; i < 1000; ++i) wmma::mma_sync(c, a, b, c);
    wmma::store_matrix_sync(y, c, 16, wmma::mem_row_major);
}

// Branches and integers follow the bits.
extern "C" __global__ void follows_bits(const float* x, float* y, int* counts) {
    float sum = 0.0f;
    int n = 0;
    while (sum < 100.0f) {
        sum += x[0];
        ++n;
    }
    y[threadIdx.x] = sum;
    counts[threadIdx.x] = n + (int)sum;
}
