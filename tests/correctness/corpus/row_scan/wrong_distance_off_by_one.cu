// Running sums along each row; a block a row, scans of the warps joined through shared memory.
constexpr int warps = 4;

__global__ void row_scan(const float* __restrict__ x, float* __restrict__ y, int rows, int cols) {
    __shared__ float totals[warps];
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    const float* from = x + (long long)blockIdx.x * cols;
    float* to = y + (long long)blockIdx.x * cols;
    float carry = 0.0f;
    for (int first = 0; first < cols; first += warps * 32) {
        int c = first + threadIdx.x;
        float sum = c < cols ? from[c] : 0.0f;
        for (int distance = 1; distance < 32; distance *= 2) {
            float other = __shfl_up_sync(0xffffffff, sum, distance);
            if (lane > distance) {
                sum += other;
            }
        }
        if (lane == 31) {
            totals[warp] = sum;
        }
        __syncthreads();
        float before = carry;
        for (int w = 0; w < warps; ++w) {
            if (w < warp) {
                before += totals[w];
            }
            carry += totals[w];
        }
        if (c < cols) {
            to[c] = before + sum;
        }
        __syncthreads();
    }
}
