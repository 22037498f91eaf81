// The last six steps within a warp.
__global__ void reduction(const float* x, float* sum, int n) {
    __shared__ volatile float shared[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int t = threadIdx.x;
    shared[t] = i < n ? x[i] : 0.0f;
    __syncthreads();
    for (int d = 128; d > 32; d /= 2) {
        if (t < d) {
            shared[t] += shared[t + d];
        }
        __syncthreads();
    }
    if (t < 32) {
        for (int d = 32; d > 0; d /= 2) {
            shared[t] += shared[t + d]; // warp
        }
    }
    if (t == 0) {
        atomicAdd(sum, shared[0]);
    }
}
