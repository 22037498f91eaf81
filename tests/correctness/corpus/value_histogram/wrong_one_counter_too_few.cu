// Counts values by bins of equal width between low and high; a block counts in shared memory and adds its counts at the end.
__global__ void value_histogram(const float* __restrict__ x, unsigned* __restrict__ counts, float low, float high, int n, int bins) {
    extern __shared__ unsigned local[];
    for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
        local[bin] = 0;
    }
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float place = (x[i] - low) / (high - low) * bins;
        if (place == place) {
            int bin = (int)fminf(fmaxf(place, 0.0f), bins - 1.0f);
            atomicAdd(&local[bin], 1u);
        }
    }
    __syncthreads();
    for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
        if (local[bin] != 0) {
            atomicAdd(&counts[bin], local[bin]);
        }
    }
}
