// Weighted sum of each element's seven neighbours; a block's elements and their neighbours are staged in shared memory.
constexpr int radius = 3;
constexpr int threads = 256;

__global__ void stencil_1d(const float* __restrict__ x, const float* __restrict__ weights, float* __restrict__ y, int n) {
    __shared__ float tile[threads + 2 * radius];
    int i = blockIdx.x * threads + threadIdx.x;
    int t = threadIdx.x + radius;
    tile[t] = i < n ? x[i] : 0.0f;
    if (threadIdx.x < radius) {
        int left = i - radius;
        int right = i + threads;
        tile[threadIdx.x] = left >= 0 ? x[left] : 0.0f;
        tile[t + threads] = right < n ? x[right] : 0.0f;
    }
    __syncthreads();
    if (i < n) {
        float sum = 0.0f;
        for (int k = -radius; k <= radius; ++k) {
            sum += weights[k + radius] * tile[t + k];
        }
        y[i] = sum;
    }
}
