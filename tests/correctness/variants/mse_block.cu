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

// Several elements a thread, a sum within the block, one atomic a block.
__global__ void mse(const float* __restrict__ x, const float* __restrict__ y, float* __restrict__ mean, int n) {
    float sum = 0.0f;
    long long stride = (long long)blockDim.x * gridDim.x;
    for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        float difference = x[i] - y[i];
        sum += difference * difference;
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0) {
        atomicAdd(mean, sum / n);
    }
}
