// Running sums modulo 2^32: first within blocks of 64 elements, then of the blocks' sums, then both together.
__global__ void scan_blocks(const unsigned* x, unsigned* y, unsigned* sums, int n) {
    __shared__ unsigned local[64];
    int t = threadIdx.x;
    int i = blockIdx.x * 64 + t;
    local[t] = i < n ? x[i] : 0;
    __syncthreads();
    for (int distance = 1; distance < 64; distance *= 2) {
        unsigned other = t >= distance ? local[t - distance] : 0;
        __syncthreads();
        local[t] += other;
        __syncthreads();
    }
    if (i < n) {
        y[i] = local[t];
    }
    if (t == 63) {
        sums[blockIdx.x] = local[t];
    }
}

__global__ void scan_sums(unsigned* sums, int count) {
    unsigned sum = 0;
    for (int i = 0; i < count; ++i) {
        unsigned own = sums[i];
        sums[i] = sum;
        sum += own;
    }
}

__global__ void lookback_scan(const unsigned* sums, unsigned* y, int n) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n) {
        y[i] += sums[blockIdx.x];
    }
}
