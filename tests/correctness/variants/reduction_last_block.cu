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

// One launch: the block that finishes last adds the sums of all blocks.
__device__ unsigned int finished = 0;

__global__ void reduction(const float* __restrict__ x, float* sums, float* __restrict__ total, int n) {
    __shared__ bool is_last;
    float sum = 0.0f;
    long long stride = (long long)blockDim.x * gridDim.x;
    for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        sum += x[i];
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = sum;
        __threadfence();
        is_last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last) {
        __threadfence();
        float v = 0.0f;
        for (int b = threadIdx.x; b < gridDim.x; b += blockDim.x) {
            v += *(volatile float*)&sums[b];
        }
        v = block_sum(v);
        if (threadIdx.x == 0) {
            *total = v;
        }
    }
}
