// The sum of each row, one thread a row.
__global__ void row_sums(const float* x, float* sums, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        float sum = 0.0f;
        for (int c = 0; c < cols; ++c) sum += x[row * cols + c];
        sums[row] = sum;
    }
}
