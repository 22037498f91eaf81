__device__ float warp_sum(float v) {
    for (int d = 16; d > 0; d /= 2) {
        v += __shfl_down_sync(0xffffffff, v, d);
    }
    return v;
}

__global__ void dot(const float* x, const float* y, float* sum, int n) {
    __shared__ float partial[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float product = warp_sum(i < n ? x[i] * y[i] : 0.0f);
    if (threadIdx.x % 32 == 0) {
        partial[threadIdx.x / 32] = product;
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        float v = partial[threadIdx.x];
        v = warp_sum(v);
        if (threadIdx.x == 0) {
            atomicAdd(sum, v);
        }
    }
}
