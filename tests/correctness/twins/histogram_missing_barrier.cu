__global__ void histogram(const unsigned char* x, unsigned int* counts, int n) {
    __shared__ unsigned int bins[256];
    bins[threadIdx.x] = 0;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(&bins[x[i]], 1u);
    }
    __syncthreads();
    atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
}
