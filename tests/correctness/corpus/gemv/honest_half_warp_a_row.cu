// y = A x for a row-major rows x cols matrix; sixteen lanes a row.
__global__ void gemv(const float* __restrict__ a, const float* __restrict__ x, float* __restrict__ y, int rows, int cols) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 16;
    int lane = threadIdx.x % 16;
    float sum = 0.0f;
    if (row < rows) {
        for (int c = lane; c < cols; c += 16) {
            sum += a[row * cols + c] * x[c];
        }
    }
    for (int offset = 8; offset > 0; offset /= 2) {
        sum += __shfl_down_sync(0xffffffff, sum, offset, 16);
    }
    if (lane == 0 && row < rows) {
        y[row] = sum;
    }
}
