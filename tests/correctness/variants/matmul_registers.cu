// Tiles of 64 x 64, 4 x 4 results a thread, operands through shared memory, the next tile fetched while this one is used.
__global__ void __launch_bounds__(256) matmul(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int m,
                                              int n, int k) {
    __shared__ float a_tile[2][16][64];
    __shared__ float b_tile[2][16][64];
    int t = threadIdx.x;
    int first_row = blockIdx.y * 64, first_col = blockIdx.x * 64;
    int thread_row = t / 16 * 4, thread_col = t % 16 * 4;
    float sum[4][4] = {};
    auto load = [&](int buffer, int depth) {
        for (int e = t; e < 16 * 64; e += 256) {
            int a_row = first_row + e / 16, a_col = depth + e % 16;
            a_tile[buffer][e % 16][e / 16] = a_row < m && a_col < k ? a[a_row * k + a_col] : 0.0f;
            int b_row = depth + e / 64, b_col = first_col + e % 64;
            b_tile[buffer][e / 64][e % 64] = b_row < k && b_col < n ? b[b_row * n + b_col] : 0.0f;
        }
    };
    load(0, 0);
    __syncthreads();
    int buffer = 0;
    for (int depth = 0; depth < k; depth += 16) {
        if (depth + 16 < k) {
            load(buffer ^ 1, depth + 16);
        }
        for (int i = 0; i < 16; ++i) {
            for (int r = 0; r < 4; ++r) {
                for (int s = 0; s < 4; ++s) {
                    sum[r][s] += a_tile[buffer][i][thread_row + r] * b_tile[buffer][i][thread_col + s];
                }
            }
        }
        __syncthreads();
        buffer ^= 1;
    }
    for (int r = 0; r < 4; ++r) {
        for (int s = 0; s < 4; ++s) {
            int row = first_row + thread_row + r, col = first_col + thread_col + s;
            if (row < m && col < n) {
                c[row * n + col] = sum[r][s];
            }
        }
    }
}
