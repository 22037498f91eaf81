// Sum of the products of two vectors in double precision; a tree in each block, one addition a block.
__global__ void double_dot(const double* x, const double* y, double* result, int n) {
    __shared__ double partial[128];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    partial[t] = i < n ? x[i] * y[i] : 0.0;
    __syncthreads();
    for (int half = 64; half > 0; half /= 2) {
        if (t < half) {
            partial[t] += partial[t + half];
        }
        __syncthreads();
    }
    if (t == 0) {
        atomicAdd(result, partial[0]);
    }
}
