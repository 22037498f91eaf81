// __sinf, whose error is 2^-20.5 however small the sine.
__global__ void map(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = __sinf(x[i]);
    }
}
