// y = sin(x), one thread an element.
__global__ void map(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = sinf(x[i]);
    }
}
