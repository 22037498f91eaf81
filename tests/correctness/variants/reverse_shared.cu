// A block's elements turned round in shared memory, so that both sides are in order.
__global__ void reverse(const float* __restrict__ x, float* __restrict__ y, int n) {
    __shared__ float tile[256];
    int first = blockIdx.x * 256;
    int i = first + threadIdx.x;
    if (i < n) {
        tile[threadIdx.x] = x[i];
    }
    __syncthreads();
    int count = min(256, n - first);
    if (threadIdx.x < count) {
        y[n - first - count + threadIdx.x] = tile[count - 1 - threadIdx.x];
    }
}
