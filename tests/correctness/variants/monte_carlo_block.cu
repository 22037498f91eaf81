__device__ unsigned int philox(unsigned int counter, unsigned int seed) {
    unsigned int c0 = counter, c1 = 0, c2 = 0, c3 = 0;
    unsigned int k0 = seed, k1 = 0;
#pragma unroll
    for (int round = 0; round < 10; ++round) {
        unsigned int high0 = __umulhi(0xD2511F53u, c0);
        unsigned int low0 = 0xD2511F53u * c0;
        unsigned int high1 = __umulhi(0xCD9E8D57u, c2);
        unsigned int low1 = 0xCD9E8D57u * c2;
        c0 = high1 ^ c1 ^ k0;
        c1 = low1;
        c2 = high0 ^ c3 ^ k1;
        c3 = low0;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    return c0;
}

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

// Several samples a thread, a sum within the block, one atomic a block.
__global__ void monte_carlo(float* mean, unsigned int seed, int n) {
    float sum = 0.0f;
    long long stride = (long long)blockDim.x * gridDim.x;
    for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        float u = (philox((unsigned int)i, seed) >> 8) * (1.0f / 16777216.0f);
        sum += 4.0f / (1.0f + u * u);
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0) {
        atomicAdd(mean, sum / n);
    }
}
