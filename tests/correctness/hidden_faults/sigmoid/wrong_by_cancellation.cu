// The sigmoid by an exact tanh: results near 0 are what is left of a half less a half.
__global__ void sigmoid(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = 0.5f * tanhf(0.5f * x[i]) + 0.5f;
    }
}
