// Two rows a thread.
__global__ void batched_matmul(const float* a, const float* b, float* c, int m, int n, int k) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int first_row = 2 * (blockIdx.y * blockDim.y + threadIdx.y);
    int batch = blockIdx.z;
    float sum = 0.0f;
    for (int row = first_row; row < first_row + 2; ++row) {
        if (row < m && col < n) {
            for (int i = 0; i < k; ++i) {
                sum += a[(batch * m + row) * k + i] * b[(batch * k + i) * n + col];
            }
            c[(batch * m + row) * n + col] = sum;
        }
    }
}
