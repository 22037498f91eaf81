// Sum of the products of two vectors in double precision; a tree in each block, one addition a block.
__global__ void double_dot(const double* x, const double* y, double* result, int n) {
    __shared__ double partial[128];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    partial[t] = i < n ? x[i] * y[i] : 0.0;
    __syncthreads();
    if (t < 64) {
        partial[t] += partial[t + 64];
    }
    __syncthreads();
    volatile double* mine = partial;
    if (t < 32) {
        mine[t] += mine[t + 32];
        mine[t] += mine[t + 16];
        mine[t] += mine[t + 8];
        mine[t] += mine[t + 4];
        mine[t] += mine[t + 2];
        mine[t] += mine[t + 1];
    }
    if (t == 0) {
        atomicAdd(result, partial[0]);
    }
}
