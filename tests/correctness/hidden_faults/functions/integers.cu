// y = 3 x + 1, one thread an element.
__global__ void map(const int* x, int* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = 3 * x[i] + 1;
    }
}
