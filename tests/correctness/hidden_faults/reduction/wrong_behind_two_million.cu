// Elements behind the first two million are left out.
__global__ void reduction(const float* x, float* sum, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && i < 2000000) {
        atomicAdd(sum, x[i]);
    }
}
