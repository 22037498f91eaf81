// Running sums modulo 2^32 in one pass: each block waits for the sum up to the end of the block before it.
constexpr int threads = 128;

// Running sum within the block; total: of the whole block.
__device__ unsigned block_scan(unsigned v, unsigned* totals, unsigned* total) {
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    for (int distance = 1; distance < 32; distance *= 2) {
        unsigned other = __shfl_up_sync(0xffffffff, v, distance);
        v += lane >= distance ? other : 0;
    }
    if (lane == 31) {
        totals[warp] = v;
    }
    __syncthreads();
    *total = 0;
    for (int w = 0; w < threads / 32; ++w) {
        v += w < warp ? totals[w] : 0;
        *total += totals[w];
    }
    return v;
}

__global__ void lookback_scan(const unsigned* __restrict__ x, unsigned* __restrict__ y, unsigned* drawn, volatile unsigned* sums, unsigned* ready, int n) {
    __shared__ unsigned totals[threads / 32];
    __shared__ int block;
    __shared__ unsigned before;
    if (threadIdx.x == 0) {
        block = atomicAdd(drawn, 1u);
    }
    __syncthreads();
    int i = block * threads + threadIdx.x;
    unsigned total;
    unsigned sum = block_scan(i < n ? x[i] : 0, totals, &total);
    if (threadIdx.x == 0) {
        unsigned prefix = 0;
        if (block > 0) {
            while (atomicAdd(&ready[block - 1], 0u) == 0) {
            }
            __threadfence();
            prefix = sums[block - 1];
        }
        sums[block] = prefix + total;
        __threadfence();
        atomicExch(&ready[block], 1u);
        before = prefix;
    }
    __syncthreads();
    if (i < n) {
        y[i] = before + sum;
    }
}
