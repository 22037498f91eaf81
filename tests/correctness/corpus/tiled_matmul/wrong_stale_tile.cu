// C = A B for row-major matrices, through 16 x 16 tiles in shared memory; one thread an element of C.
__global__ void tiled_matmul(const float* a, const float* b, float* c, int m, int n, int k) {
    __shared__ float a_tile[16][16];
    __shared__ float b_tile[16][16];
    int col = blockIdx.x * 16 + threadIdx.x;
    int row = blockIdx.y * 16 + threadIdx.y;
    float sum = 0.0f;
    for (int first = 0; first < k; first += 16) {
        int a_col = first + threadIdx.x;
        int b_row = first + threadIdx.y;
        if (row < m && a_col < k) {
            a_tile[threadIdx.y][threadIdx.x] = a[row * k + a_col];
        }
        b_tile[threadIdx.y][threadIdx.x] = b_row < k && col < n ? b[b_row * n + col] : 0.0f;
        __syncthreads();
        for (int i = 0; i < 16; ++i) {
            sum += a_tile[threadIdx.y][i] * b_tile[i][threadIdx.x];
        }
        __syncthreads();
    }
    if (row < m && col < n) {
        c[row * n + col] = sum;
    }
}
