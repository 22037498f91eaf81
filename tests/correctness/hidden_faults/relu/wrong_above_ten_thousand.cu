// Wrong above 10,000.
__global__ void relu(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = x[i] > 10000.0f ? 1.5f * x[i] : fmaxf(x[i], 0.0f);
    }
}
