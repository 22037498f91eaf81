// Running sums along each row; a block a row, 128 columns at a time by doubling distances between two shared buffers.
constexpr int threads = 128;

__global__ void row_scan(const float* __restrict__ x, float* __restrict__ y, int rows, int cols) {
    __shared__ float sums[2][threads];
    int t = threadIdx.x;
    const float* from = x + (long long)blockIdx.x * cols;
    float* to = y + (long long)blockIdx.x * cols;
    float carry = 0.0f;
    for (int first = 0; first < cols; first += threads) {
        int current = 0;
        sums[0][t] = first + t < cols ? from[first + t] : 0.0f;
        __syncthreads();
        for (int distance = 1; distance < threads; distance *= 2) {
            float v = sums[current][t];
            sums[1 - current][t] = t >= distance ? v + sums[current][t - distance] : v;
            current = 1 - current;
            __syncthreads();
        }
        if (first + t < cols) {
            to[first + t] = carry + sums[current][t];
        }
        carry = sums[current][threads - 1];
        __syncthreads();
    }
}
