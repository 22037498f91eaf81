// Counts how often each class occurs; one thread an element.
__global__ void class_counts(const int* ids, unsigned* counts, int n, int classes) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(&counts[ids[i]], 1u);
    }
}
