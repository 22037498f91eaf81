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

// float4 loads, a sum within the block, one atomic a block.
__global__ void dot(const float* __restrict__ x, const float* __restrict__ y, float* __restrict__ sum, int n) {
    float partial = 0.0f;
    long long stride = (long long)blockDim.x * gridDim.x;
    long long first = blockIdx.x * blockDim.x + threadIdx.x;
    for (long long i = first; i < n / 4; i += stride) {
        float4 a = reinterpret_cast<const float4*>(x)[i];
        float4 b = reinterpret_cast<const float4*>(y)[i];
        partial += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    }
    if (first < n % 4) {
        partial += x[n - 1 - first] * y[n - 1 - first];
    }
    partial = block_sum(partial);
    if (threadIdx.x == 0) {
        atomicAdd(sum, partial);
    }
}
