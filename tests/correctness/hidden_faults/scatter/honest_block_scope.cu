// Atomics of block scope where one block counts, and of device scope between blocks.
__global__ void scatter(const float* x, const int* segment, float* sums, int n) {
    __shared__ float local[64];
    if (threadIdx.x < 64) local[threadIdx.x] = 0.0f;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int s = segment[i];
        if (s < 64) atomicAdd_block(&local[s], x[i]);
        else atomicAdd(&sums[s], x[i]);
    }
    __syncthreads();
    if (threadIdx.x < 64 && local[threadIdx.x] != 0.0f) atomicAdd(&sums[threadIdx.x], local[threadIdx.x]);
}
