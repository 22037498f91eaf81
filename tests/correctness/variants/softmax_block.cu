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

__device__ float warp_max(float v) {
    for (int d = 16; d > 0; d /= 2) {
        v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, d));
    }
    return v;
}

__device__ float block_max(float v) {
    __shared__ float largest[32];
    v = warp_max(v);
    if (threadIdx.x % 32 == 0) {
        largest[threadIdx.x / 32] = v;
    }
    __syncthreads();
    v = warp_max(threadIdx.x % 32 < blockDim.x / 32 ? largest[threadIdx.x % 32] : __int_as_float(0xff800000));
    __syncthreads();
    return v;
}

// One block a row, three passes.
__global__ void softmax(const float* __restrict__ x, float* __restrict__ y, int rows, int cols) {
    const float* row = x + (long long)blockIdx.x * cols;
    float largest = __int_as_float(0xff800000);
    for (int c = threadIdx.x; c < cols; c += blockDim.x) {
        largest = fmaxf(largest, row[c]);
    }
    largest = block_max(largest);
    float sum = 0.0f;
    for (int c = threadIdx.x; c < cols; c += blockDim.x) {
        sum += expf(row[c] - largest);
    }
    sum = block_sum(sum);
    for (int c = threadIdx.x; c < cols; c += blockDim.x) {
        y[(long long)blockIdx.x * cols + c] = expf(row[c] - largest) / sum;
    }
}
