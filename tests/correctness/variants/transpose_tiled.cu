// Through a padded tile in shared memory: reads and writes are coalesced and banks do not conflict.
__global__ void transpose(const float* __restrict__ a, float* __restrict__ b, int rows, int cols) {
    __shared__ float tile[32][33];
    int col = blockIdx.x * 32 + threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += 8) {
        int row = blockIdx.y * 32 + j;
        if (row < rows && col < cols) {
            tile[j][threadIdx.x] = a[row * cols + col];
        }
    }
    __syncthreads();
    int out_col = blockIdx.y * 32 + threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += 8) {
        int out_row = blockIdx.x * 32 + j;
        if (out_row < cols && out_col < rows) {
            b[out_row * rows + out_col] = tile[threadIdx.x][j];
        }
    }
}
