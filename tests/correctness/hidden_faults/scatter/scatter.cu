// Sums by segment.
__global__ void scatter(const float* x, const int* segment, float* sums, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&sums[segment[i]], x[i]);
}
