// A matrix times a vector, one thread a row.
__global__ void matvec(const float* a, const float* x, float* y, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0.0f;
    for (int c = 0; c < cols; ++c) sum += a[(size_t)row * cols + c] * x[c];
    y[row] = sum;
}
