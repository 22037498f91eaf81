// Sum of the products of two vectors in double precision; sums of blocks first, one block adds them up.
constexpr int threads = 64;

__device__ double block_sum(double v, double* partial) {
    int t = threadIdx.x;
    partial[t] = v;
    __syncthreads();
    for (int half = threads / 2; half > 0; half /= 2) {
        if (t < half) {
            partial[t] += partial[t + half];
        }
        __syncthreads();
    }
    return partial[0];
}

__global__ void sums_of_blocks(const double* __restrict__ x, const double* __restrict__ y, double* __restrict__ sums, int n) {
    __shared__ double partial[threads];
    int i = blockIdx.x * threads + threadIdx.x;
    double sum = block_sum(i < n ? x[i] * y[i] : 0.0, partial);
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = sum;
    }
}

__global__ void double_dot(const double* __restrict__ sums, double* __restrict__ result, int count) {
    __shared__ double partial[threads];
    double own = 0.0;
    for (int i = threadIdx.x; i < count; i += threads) {
        own += sums[i];
    }
    double sum = block_sum(own, partial);
    if (threadIdx.x == 0) {
        *result = sum;
    }
}
