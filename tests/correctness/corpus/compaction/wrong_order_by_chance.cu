// Moves the positive elements to the front and counts them; every kept element draws its place from one counter.
__global__ void move_kept(const float* __restrict__ x, float* __restrict__ y, int* __restrict__ count, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] > 0.0f) {
        y[atomicAdd(count, 1)] = x[i];
    }
}
