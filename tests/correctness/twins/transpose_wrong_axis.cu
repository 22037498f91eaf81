// Through a tile in shared memory, so that reads and writes are coalesced.
__global__ void transpose(const float* a, float* b, int rows, int cols) {
    __shared__ float tile[32][33];
    int col = blockIdx.x * 32 + threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += 8) {
        int row = blockIdx.y * 32 + j;
        tile[j][threadIdx.x] = row < rows && col < cols ? a[row * cols + col] : 0.0f;
    }
    __syncthreads();
    int out_col = blockIdx.y * 32 + threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += 8) {
        int out_row = blockIdx.x * 32 + j;
        if (out_row < cols && out_col < rows) {
            b[out_row * rows + out_col] = tile[j][threadIdx.x];
        }
    }
}
