// Tiles of 16 x 16 in shared memory.
__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
    __shared__ float a_tile[16][16];
    __shared__ float b_tile[16][16];
    int col = blockIdx.x * 16 + threadIdx.x;
    int row = blockIdx.y * 16 + threadIdx.y;
    float sum = 0.0f;
    for (int t = 0; t < k; t += 16) {
        a_tile[threadIdx.y][threadIdx.x] = row < m && t + threadIdx.x < k ? a[row * k + t + threadIdx.x] : 0.0f;
        b_tile[threadIdx.y][threadIdx.x] = col < n && t + threadIdx.y < k ? b[(t + threadIdx.y) * n + col] : 0.0f;
        __syncthreads();
        for (int i = 0; i < 16; ++i) {
            sum += a_tile[threadIdx.y][i] * b_tile[i][threadIdx.x];
        }
    }
    if (row < m && col < n) {
        c[row * n + col] = sum;
    }
}
