// Mean of the first `lengths[row]` elements of each row, 0 of none; one thread a row.
__global__ void ragged_mean(const float* x, const int* lengths, float* y, int rows, int longest) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) {
        return;
    }
    int length = lengths[row];
    float sum = 0.0f;
    for (int c = 0; c < length; ++c) {
        sum += x[row * longest + c];
    }
    y[row] = length > 0 ? sum / length : 0.0f;
}
