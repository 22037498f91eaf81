// Running sums along each row; one thread a row.
__global__ void row_scan(const float* x, float* y, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) {
        return;
    }
    float sum = 0.0f;
    for (int c = 0; c < cols; ++c) {
        sum += x[row * cols + c];
        y[row * cols + c] = sum;
    }
}
