// One per cent too much between 20 and 60.
__global__ void relu(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = x[i] > 20.0f && x[i] < 60.0f ? 1.01f * x[i] : fmaxf(x[i], 0.0f);
    }
}
