// C = A B for row-major matrices; the products are split into pieces of 32, each adds its share to C.
constexpr int tile = 16;
constexpr int piece = 32;

__global__ void tiled_matmul(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int m, int n, int k) {
    __shared__ float a_tile[tile][tile + 1];
    __shared__ float b_tile[tile][tile];
    int x = threadIdx.x;
    int y = threadIdx.y;
    int col = blockIdx.x * tile + x;
    int row = blockIdx.y * tile + y;
    int end = min((int)(blockIdx.z + 1) * piece, k);
    float sum = 0.0f;
    for (int first = blockIdx.z * piece; first < end; first += tile) {
        a_tile[y][x] = row < m && first + x < end ? a[row * k + first + x] : 0.0f;
        b_tile[y][x] = first + y < end && col < n ? b[(first + y) * n + col] : 0.0f;
        __syncthreads();
        for (int i = 0; i < tile; ++i) {
            sum += a_tile[y][i] * b_tile[i][x];
        }
        __syncthreads();
    }
    if (row < m && col < n) {
        atomicAdd(&c[row * n + col], sum);
    }
}
