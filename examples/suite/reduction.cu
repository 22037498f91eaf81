// Sum of all elements; every thread adds its own.
__global__ void reduction(const float* x, float* sum, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(sum, x[i]);
    }
}
