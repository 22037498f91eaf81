// y = A x for bytes, summed in 32 bits; one thread a row.
__global__ void int8_gemv(const signed char* a, const signed char* x, int* y, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) {
        return;
    }
    int sum = 0;
    for (int c = 0; c < cols; ++c) {
        sum += a[row * cols + c] * x[c];
    }
    y[row] = sum;
}
