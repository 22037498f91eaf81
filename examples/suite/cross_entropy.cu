// Loss of each row: log(sum(exp(x))) - x[target]; one thread a row.
__global__ void cross_entropy(const float* x, const int* targets, float* losses, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) {
        return;
    }
    float largest = __int_as_float(0xff800000);
    for (int c = 0; c < cols; ++c) {
        largest = fmaxf(largest, x[row * cols + c]);
    }
    float sum = 0.0f;
    for (int c = 0; c < cols; ++c) {
        sum += expf(x[row * cols + c] - largest);
    }
    losses[row] = logf(sum) + largest - x[row * cols + targets[row]];
}
