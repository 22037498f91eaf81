// Normalises each group of channels of each image; one block a group, statistics in two passes.
__device__ float block_sum(float v, float* partial) {
    for (int offset = 16; offset > 0; offset /= 2) {
        v += __shfl_xor_sync(0xffffffff, v, offset);
    }
    if (threadIdx.x % 32 == 0) {
        partial[threadIdx.x / 32] = v;
    }
    __syncthreads();
    float sum = 0.0f;
    for (int w = 0; w < blockDim.x / 32; ++w) {
        sum += partial[w];
    }
    __syncthreads();
    return sum;
}

__global__ void group_norm(const float* __restrict__ x, const float* __restrict__ gamma, const float* __restrict__ beta, float* __restrict__ y, int groups, int members, int area) {
    __shared__ float partial[32];
    int size = members * area;
    const float* from = x + (long long)blockIdx.x * size;
    float* to = y + (long long)blockIdx.x * size;
    float sum = 0.0f;
    for (int i = threadIdx.x; i < size; i += blockDim.x) {
        sum += from[i];
    }
    float mean = block_sum(sum, partial) / size;
    float squares = 0.0f;
    for (int i = threadIdx.x; i < size; i += blockDim.x) {
        squares += (from[i] - mean) * (from[i] - mean);
    }
    float scale = 1.0f / sqrtf(block_sum(squares, partial) / size + 1e-5f);
    int first = blockIdx.x % groups * members;
    for (int i = threadIdx.x; i < size; i += blockDim.x) {
        int channel = first + i / area;
        to[i] = (from[i] - mean) * scale * gamma[channel] + beta[channel];
    }
}
