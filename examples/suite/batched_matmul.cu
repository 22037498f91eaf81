// C[b] = A[b] B[b] for every b, row-major; one thread an element, the batch on the grid's z axis.
__global__ void batched_matmul(const float* a, const float* b, float* c, int m, int n, int k) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int batch = blockIdx.z;
    if (row < m && col < n) {
        float sum = 0.0f;
        for (int i = 0; i < k; ++i) {
            sum += a[(batch * m + row) * k + i] * b[(batch * k + i) * n + col];
        }
        c[(batch * m + row) * n + col] = sum;
    }
}
