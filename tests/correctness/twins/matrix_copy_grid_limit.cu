// One row a block.
__global__ void matrix_copy(const float* a, float* b, int rows, int cols) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y;
    if (col < cols) {
        b[row * cols + col] = a[row * cols + col];
    }
}
