// A fixed number of blocks; 64-bit indices, since the last step may pass 2^31.
__global__ void relu(const float* __restrict__ x, float* __restrict__ y, int n) {
    long long stride = (long long)blockDim.x * gridDim.x;
    for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        y[i] = fmaxf(x[i], 0.0f);
    }
}
