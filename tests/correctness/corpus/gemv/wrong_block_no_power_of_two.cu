// y = A x for a row-major rows x cols matrix; a block a row, four columns at once where rows start at multiples of 16 bytes.
constexpr int threads = 96;

__global__ void gemv(const float* __restrict__ a, const float* __restrict__ x, float* __restrict__ y, int rows, int cols) {
    __shared__ float partial[threads];
    const float* row = a + (long long)blockIdx.x * cols;
    float sum = 0.0f;
    int done = 0;
    if (((unsigned long long)row | (unsigned long long)x) % 16 == 0) {
        done = cols / 4 * 4;
        for (int c = threadIdx.x * 4; c < done; c += threads * 4) {
            float4 left = *reinterpret_cast<const float4*>(row + c);
            float4 right = *reinterpret_cast<const float4*>(x + c);
            sum += left.x * right.x + left.y * right.y + left.z * right.z + left.w * right.w;
        }
    }
    for (int c = done + threadIdx.x; c < cols; c += threads) {
        sum += row[c] * x[c];
    }
    partial[threadIdx.x] = sum;
    __syncthreads();
    for (int half = threads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            partial[threadIdx.x] += partial[threadIdx.x + half];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        y[blockIdx.x] = partial[0];
    }
}
