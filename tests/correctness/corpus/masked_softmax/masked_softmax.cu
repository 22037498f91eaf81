// Softmax of the first `lengths[row]` elements of each row, 0 behind them; one thread a row.
__global__ void masked_softmax(const float* x, const int* lengths, float* y, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) {
        return;
    }
    int length = lengths[row];
    float largest = __int_as_float(0xff800000);
    for (int c = 0; c < length; ++c) {
        largest = fmaxf(largest, x[row * cols + c]);
    }
    float sum = 0.0f;
    for (int c = 0; c < length; ++c) {
        sum += expf(x[row * cols + c] - largest);
    }
    for (int c = 0; c < cols; ++c) {
        y[row * cols + c] = c < length ? expf(x[row * cols + c] - largest) / sum : 0.0f;
    }
}
