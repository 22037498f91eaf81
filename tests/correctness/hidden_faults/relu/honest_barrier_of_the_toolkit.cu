// cuda::barrier reads a timer to choose how long to sleep.
#include <cuda/barrier>

__global__ void relu(const float* x, float* y, int n) {
    __shared__ float values[256];
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) {
        init(&barrier, blockDim.x);
    }
    __syncthreads();
    if (i < n) {
        values[threadIdx.x] = x[i];
    }
    barrier.arrive_and_wait();
    if (i < n) {
        y[i] = fmaxf(values[threadIdx.x], 0.0f);
    }
}
