// The last block to finish adds the partial sums, and sets the counter back for the next run.
__device__ unsigned finished;

__global__ void reduction(const float* x, float* partial, float* sum, int n) {
    __shared__ float values[256];
    __shared__ bool is_last;
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    values[t] = i < n ? x[i] : 0.0f;
    __syncthreads();
    for (int d = 128; d > 0; d /= 2) {
        if (t < d) values[t] += values[t + d];
        __syncthreads();
    }
    if (t == 0) {
        partial[blockIdx.x] = values[0];
        __threadfence();
        is_last = atomicAdd(&finished, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last && t == 0) {
        __threadfence();
        float total = 0.0f;
        for (unsigned k = 0; k < gridDim.x; ++k) total += ((volatile float*)partial)[k];
        *sum = total;
        finished = 0;
    }
}
