// Sum of x * y over all elements; every thread adds its product.
__global__ void dot(const float* x, const float* y, float* sum, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(sum, x[i] * y[i]);
    }
}
