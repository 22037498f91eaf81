// Sum of the products of two vectors in double precision; a fixed grid strides, warps add by shuffles.
__global__ void double_dot(const double* __restrict__ x, const double* __restrict__ y, double* __restrict__ result, int n) {
    __shared__ double partial[32];
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    double sum = 0.0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        sum = fma(x[i], y[i], sum);
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    }
    if (lane == 0) {
        partial[warp] = sum;
    }
    __syncthreads();
    if (warp == 0) {
        sum = partial[lane];
        for (int offset = 16; offset > 0; offset /= 2) {
            sum += __shfl_down_sync(0xffffffff, sum, offset);
        }
        if (lane == 0) {
            atomicAdd(result, sum);
        }
    }
}
