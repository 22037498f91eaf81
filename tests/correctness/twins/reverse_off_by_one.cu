__global__ void reverse(const float* __restrict__ x, float* __restrict__ y, int n) {
    int stride = blockDim.x * gridDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        y[i] = x[n - i];
    }
}
