// The sum over k in four parts, added by atomics.
__global__ void matmul(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int m, int n, int k) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int part = (k + 3) / 4;
    int first = blockIdx.z * part;
    if (row < m && col < n) {
        float sum = 0.0f;
        for (int i = first; i < min(first + part, k); ++i) {
            sum += a[row * k + i] * b[i * n + col];
        }
        atomicAdd(&c[row * n + col], sum);
    }
}
