// Counts how often each class occurs; each warp of a block counts in a copy of its own.
constexpr int warps = 4;

__global__ void class_counts(const int* __restrict__ ids, unsigned* __restrict__ counts, int n, int classes) {
    extern __shared__ unsigned copies[];
    for (int k = threadIdx.x; k < warps * classes; k += blockDim.x) {
        copies[k] = 0;
    }
    __syncthreads();
    unsigned* own = copies + threadIdx.x / 32 * classes;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        atomicAdd(&own[ids[i]], 1u);
    }
    __syncthreads();
    for (int id = threadIdx.x; id < classes; id += blockDim.x) {
        unsigned sum = 0;
        for (int w = 0; w < warps; ++w) {
            sum += copies[w * classes + id];
        }
        counts[id] += sum;
    }
}
