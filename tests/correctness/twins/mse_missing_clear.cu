// A tree a block, one atomic a block.
__global__ void mse(const float* x, const float* y, float* mean, int n) {
    __shared__ float shared[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float difference = i < n ? x[i] - y[i] : 0.0f;
    shared[threadIdx.x] = difference * difference;
    for (int d = 128; d > 0; d /= 2) {
        __syncthreads();
        if (threadIdx.x < d) {
            shared[threadIdx.x] += shared[threadIdx.x + d];
        }
    }
    if (threadIdx.x == 0) {
        atomicAdd(mean, shared[0] / n);
    }
}
