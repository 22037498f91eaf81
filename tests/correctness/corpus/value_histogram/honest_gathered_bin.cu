// Counts values by bins of equal width between low and high; a block collects the values of one bin.
__global__ void value_histogram(const float* __restrict__ x, unsigned* __restrict__ counts, float low, float high, int n, int bins) {
    __shared__ unsigned total;
    if (threadIdx.x == 0) {
        total = 0;
    }
    __syncthreads();
    int bin = blockIdx.x;
    unsigned own = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        float place = (x[i] - low) / (high - low) * bins;
        if (place == place && (int)fminf(fmaxf(place, 0.0f), bins - 1.0f) == bin) {
            ++own;
        }
    }
    own = __reduce_add_sync(0xffffffff, own);
    if (threadIdx.x % 32 == 0) {
        atomicAdd(&total, own);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        counts[bin] = total;
    }
}
