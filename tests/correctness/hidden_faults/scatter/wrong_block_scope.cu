// Atomics of block scope: nothing is promised between blocks.
__global__ void scatter(const float* x, const int* segment, float* sums, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd_block(&sums[segment[i]], x[i]);
}
