// B[c][r] = A[r][c] for a row-major rows x cols matrix A, one thread an element.
__global__ void transpose(const float* a, float* b, int rows, int cols) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols) {
        b[col * rows + row] = a[row * cols + col];
    }
}
