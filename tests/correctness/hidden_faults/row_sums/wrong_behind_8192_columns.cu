// A block of 1,024 threads a row, eight elements a thread: longer rows are cut off.
__global__ void row_sums(const float* x, float* sums, int rows, int cols) {
    __shared__ float partial[32];
    float sum = 0.0f;
    for (int step = 0; step < 8; ++step) {
        int c = threadIdx.x + step * 1024;
        if (c < cols) sum += x[blockIdx.x * cols + c];
    }
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = partial[threadIdx.x];
        for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
        if (threadIdx.x == 0) sums[blockIdx.x] = sum;
    }
}
