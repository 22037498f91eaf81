// C = A B for row-major matrices; the next pair of tiles is loaded while the pair at hand is multiplied.
constexpr int tile = 16;

__device__ float element(const float* matrix, int row, int col, int rows, int cols) {
    return row < rows && col < cols ? matrix[row * cols + col] : 0.0f;
}

__global__ void tiled_matmul(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int m, int n, int k) {
    __shared__ float a_tile[2][tile][tile + 1];
    __shared__ float b_tile[2][tile][tile];
    int x = threadIdx.x;
    int y = threadIdx.y;
    int col = blockIdx.x * tile + x;
    int row = blockIdx.y * tile + y;
    a_tile[0][y][x] = element(a, row, x, m, k);
    b_tile[0][y][x] = element(b, y, col, k, n);
    __syncthreads();
    float sum = 0.0f;
    int current = 0;
    for (int first = 0; first < k; first += tile) {
        int next = first + tile;
        if (next < k) {
            a_tile[current][y][x] = element(a, row, next + x, m, k);
            b_tile[1 - current][y][x] = element(b, next + y, col, k, n);
        }
#pragma unroll
        for (int i = 0; i < tile; ++i) {
            sum = fmaf(a_tile[current][y][i], b_tile[current][i][x], sum);
        }
        __syncthreads();
        current = 1 - current;
    }
    if (row < m && col < n) {
        c[row * n + col] = sum;
    }
}
