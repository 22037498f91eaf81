// One block a row, reductions as trees in shared memory.
__device__ float block_sum(float v, float* shared) {
    shared[threadIdx.x] = v;
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        __syncthreads();
        if (threadIdx.x < d) {
            shared[threadIdx.x] += shared[threadIdx.x + d];
        }
    }
    __syncthreads();
    return shared[0];
}

__global__ void softmax(const float* x, float* y, int rows, int cols) {
    __shared__ float shared[128];
    float largest = __int_as_float(0xff800000);
    for (int c = 0; c < cols; ++c) {
        largest = fmaxf(largest, x[blockIdx.x * cols + c]);
    }
    float sum = 0.0f;
    for (int c = threadIdx.x; c < cols; c += blockDim.x) {
        sum += expf(x[blockIdx.x * cols + c] - largest);
        __syncthreads();
    }
    sum = block_sum(sum, shared);
    for (int c = threadIdx.x; c < cols; c += blockDim.x) {
        y[blockIdx.x * cols + c] = expf(x[blockIdx.x * cols + c] - largest) / sum;
    }
}
