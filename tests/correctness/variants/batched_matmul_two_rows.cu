// Two rows a thread: each element of B is read once for both.
__global__ void batched_matmul(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int m, int n, int k) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = 2 * (blockIdx.y * blockDim.y + threadIdx.y);
    int batch = blockIdx.z;
    if (row >= m || col >= n) {
        return;
    }
    bool second = row + 1 < m;
    const float* first_row = a + (batch * m + row) * k;
    const float* second_row = first_row + (second ? k : 0);
    float sums[2] = {0.0f, 0.0f};
    for (int i = 0; i < k; ++i) {
        float v = b[(batch * k + i) * n + col];
        sums[0] += first_row[i] * v;
        sums[1] += second_row[i] * v;
    }
    c[(batch * m + row) * n + col] = sums[0];
    if (second) {
        c[(batch * m + row + 1) * n + col] = sums[1];
    }
}
