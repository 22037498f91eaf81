// C = A B for row-major matrices; 32 x 32 tiles, a thread holds four rows of one column in registers.
__global__ void __launch_bounds__(256) tiled_matmul(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int m, int n, int k) {
    __shared__ float a_tile[32][33];
    __shared__ float b_tile[32][32];
    int x = threadIdx.x;
    int col = blockIdx.x * 32 + x;
    int row = blockIdx.y * 32;
    float sum[4] = {};
    for (int first = 0; first + 32 <= k; first += 32) {
        for (int y = threadIdx.y; y < 32; y += 8) {
            a_tile[y][x] = row + y < m && first + x < k ? a[(row + y) * k + first + x] : 0.0f;
            b_tile[y][x] = first + y < k && col < n ? b[(first + y) * n + col] : 0.0f;
        }
        __syncthreads();
#pragma unroll 8
        for (int i = 0; i < 32; ++i) {
            float right = b_tile[i][x];
#pragma unroll
            for (int r = 0; r < 4; ++r) {
                sum[r] += a_tile[threadIdx.y + 8 * r][i] * right;
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int r = 0; r < 4; ++r) {
        int y = row + threadIdx.y + 8 * r;
        if (y < m && col < n) {
            c[y * n + col] = sum[r];
        }
    }
}
