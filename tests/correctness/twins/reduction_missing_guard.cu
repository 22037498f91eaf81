__global__ void reduction(const float* x, float* sum, int n) {
    __shared__ float shared[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    shared[threadIdx.x] = x[i];
    for (int d = 128; d > 0; d /= 2) {
        __syncthreads();
        if (threadIdx.x < d) {
            shared[threadIdx.x] += shared[threadIdx.x + d];
        }
    }
    if (threadIdx.x == 0) {
        atomicAdd(sum, shared[0]);
    }
}
