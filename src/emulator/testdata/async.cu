// Asynchronous copies and mbarriers. The tests name lines of this file.
#include <cuda_pipeline.h>

// Two stages: the next tile is on its way while this one is summed.
extern "C" __global__ void pipelined(const float4* x, float* y, int tiles) {
    __shared__ float4 stage[2][64];
    int t = threadIdx.x;
    float sum = 0.0f;
    __pipeline_memcpy_async(&stage[0][t], &x[t], 16);
    __pipeline_commit();
    for (int k = 0; k < tiles; ++k) {
        if (k + 1 < tiles) __pipeline_memcpy_async(&stage[(k + 1) & 1][t], &x[(k + 1) * 64 + t], 16);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        float4 v = stage[k & 1][63 - t];
        sum += v.x + v.y + v.z + v.w;
        __syncthreads();
    }
    y[t] = sum;
}

// Nobody waits for the copies.
extern "C" __global__ void not_waited(const float* x, float* y) {
    __shared__ float s[64];
    __pipeline_memcpy_async(&s[threadIdx.x], &x[threadIdx.x], 4);
    __pipeline_commit();
    __syncthreads();
    y[threadIdx.x] = s[threadIdx.x];
}

// Only the own thread's copies are waited for, but others' are read.
extern "C" __global__ void no_barrier(const float* x, float* y) {
    __shared__ float s[64];
    __pipeline_memcpy_async(&s[threadIdx.x], &x[threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    y[threadIdx.x] = s[63 - threadIdx.x];
}

// Only the first n elements are read, the rest is filled with zeros.
extern "C" __global__ void zero_filled(const float* x, float* y, int n) {
    __shared__ float s[64];
    int left = n - (int)threadIdx.x;
    __pipeline_memcpy_async(&s[threadIdx.x], &x[threadIdx.x], 4, left > 0 ? 0 : 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    y[threadIdx.x] = s[threadIdx.x];
}

// Threads exchange through shared memory at an mbarrier instead of __syncthreads.
extern "C" __global__ void at_mbarrier(const int* x, int* y, int rounds) {
    __shared__ unsigned long long barrier;
    __shared__ int s[2][64];
    int t = threadIdx.x;
    unsigned place = (unsigned)__cvta_generic_to_shared(&barrier);
    if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(place), "r"(64) : "memory");
    __syncthreads();
    int v = x[t];
    for (int k = 0; k < rounds; ++k) {
        s[k & 1][t] = v;
        asm volatile(
            "{ .reg .pred p; .reg .b64 state;\n"
            "mbarrier.arrive.shared.b64 state, [%0];\n"
            "WAIT: mbarrier.test_wait.shared.b64 p, [%0], state;\n"
            "@!p bra WAIT; }" ::"r"(place) : "memory");
        v += s[k & 1][63 - t];
    }
    y[t] = v;
}
