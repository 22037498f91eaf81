// Running sums modulo 2^32 in one pass: each block looks back at the sums of those before it until one knows all of its past.
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

__global__ void lookback_scan(const unsigned* __restrict__ x, unsigned* __restrict__ y, unsigned* drawn, unsigned long long* states, int n) {
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
        // A state is 0, or 1 and the block's own sum, or 2 and the sum up to its end.
        atomicExch(&states[block], 1ull << 32 | total);
        unsigned prefix = 0;
        for (int other = block - 1; other >= 0;) {
            unsigned long long state = atomicAdd(&states[other], 0ull);
            if (state >> 32 != 0) {
                prefix += (unsigned)state;
                break;
            }
        }
        atomicExch(&states[block], 2ull << 32 | (prefix + total));
        before = prefix;
    }
    __syncthreads();
    if (i < n) {
        y[i] = before + sum;
    }
}
