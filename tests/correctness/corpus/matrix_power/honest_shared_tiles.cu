// The square of a matrix, launched `steps` times for the power 2^steps; 16 x 16 tiles in shared memory.
constexpr int tile = 16;

__global__ void matrix_power(const double* __restrict__ from, double* __restrict__ to, int n) {
    __shared__ double left[tile][tile + 1];
    __shared__ double right[tile][tile + 1];
    int x = threadIdx.x;
    int y = threadIdx.y;
    int c = blockIdx.x * tile + x;
    int r = blockIdx.y * tile + y;
    double sum = 0.0;
    for (int first = 0; first < n; first += tile) {
        left[y][x] = r < n && first + x < n ? from[r * n + first + x] : 0.0;
        right[y][x] = first + y < n && c < n ? from[(first + y) * n + c] : 0.0;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < tile; ++k) {
            sum += left[y][k] * right[k][x];
        }
        __syncthreads();
    }
    if (r < n && c < n) {
        to[r * n + c] = sum;
    }
}
