// Threads count the blocks of each multiprocessor, as an auto-tuner would, and sleep by the clock: results do not hang on either.
__device__ unsigned blocks_of[1024];

__global__ void relu(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned multiprocessor;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
    if (threadIdx.x == 0) {
        atomicAdd(&blocks_of[multiprocessor], 1u);
    }
    __nanosleep((unsigned)clock64() & 15u);
    if (i < n) {
        y[i] = fmaxf(x[i], 0.0f);
    }
}
