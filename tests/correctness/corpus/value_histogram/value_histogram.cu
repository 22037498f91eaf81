// Counts values by bins of equal width between low and high; values outside count for the nearest bin, NaN for none.
__global__ void value_histogram(const float* x, unsigned* counts, float low, float high, int n, int bins) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float place = (x[i] - low) / (high - low) * bins;
        if (place == place) {
            int bin = (int)fminf(fmaxf(place, 0.0f), bins - 1.0f);
            atomicAdd(&counts[bin], 1u);
        }
    }
}
