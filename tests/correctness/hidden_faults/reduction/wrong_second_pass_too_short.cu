// A partial sum of each block; the second pass adds the first 1,024 of them.
__global__ void sum_of_blocks(const float* x, float* partial, int n) {
    __shared__ float values[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    values[threadIdx.x] = i < n ? x[i] : 0.0f;
    __syncthreads();
    for (int d = 128; d > 0; d /= 2) {
        if (threadIdx.x < d) values[threadIdx.x] += values[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0) partial[blockIdx.x] = values[0];
}

__global__ void sum_of_partials(const float* partial, float* sum, int count) {
    __shared__ float values[1024];
    int i = threadIdx.x;
    values[i] = i < count ? partial[i] : 0.0f;
    __syncthreads();
    for (int d = 512; d > 0; d /= 2) {
        if (i < d) values[i] += values[i + d];
        __syncthreads();
    }
    if (i == 0) *sum = values[0];
}
