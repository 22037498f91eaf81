// Bins in shared memory, added to the global ones at the end.
__global__ void histogram(const unsigned char* __restrict__ x, unsigned int* __restrict__ counts, int n) {
    __shared__ unsigned int bins[256];
    for (int b = threadIdx.x; b < 256; b += blockDim.x) {
        bins[b] = 0;
    }
    __syncthreads();
    long long stride = (long long)blockDim.x * gridDim.x;
    for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        atomicAdd(&bins[x[i]], 1u);
    }
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += blockDim.x) {
        if (bins[b] > 0) {
            atomicAdd(&counts[b], bins[b]);
        }
    }
}
