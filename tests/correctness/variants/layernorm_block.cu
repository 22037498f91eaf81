__device__ float warp_sum(float v) {
    for (int d = 16; d > 0; d /= 2) {
        v += __shfl_xor_sync(0xffffffffu, v, d);
    }
    return v;
}

// The sum over the block, in every thread; blockDim.x a multiple of 32.
__device__ float block_sum(float v) {
    __shared__ float partial[32];
    v = warp_sum(v);
    if (threadIdx.x % 32 == 0) {
        partial[threadIdx.x / 32] = v;
    }
    __syncthreads();
    v = warp_sum(threadIdx.x % 32 < blockDim.x / 32 ? partial[threadIdx.x % 32] : 0.0f);
    __syncthreads();
    return v;
}

// One block a row.
__global__ void layernorm(const float* __restrict__ x, const float* __restrict__ gamma, const float* __restrict__ beta,
                          float* __restrict__ y, int rows, int cols, float epsilon) {
    const float* row = x + (long long)blockIdx.x * cols;
    float sum = 0.0f;
    for (int c = threadIdx.x; c < cols; c += blockDim.x) {
        sum += row[c];
    }
    float mean = block_sum(sum) / cols;
    float squares = 0.0f;
    for (int c = threadIdx.x; c < cols; c += blockDim.x) {
        float difference = row[c] - mean;
        squares += difference * difference;
    }
    float scale = rsqrtf(block_sum(squares) / cols + epsilon);
    for (int c = threadIdx.x; c < cols; c += blockDim.x) {
        y[(long long)blockIdx.x * cols + c] = (row[c] - mean) * scale * gamma[c] + beta[c];
    }
}
