// The largest value of each row and where it first stands; NaN is never the largest. One thread a row.
__global__ void row_argmax(const float* x, float* values, int* indices, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) {
        return;
    }
    float best = __int_as_float(0xff800000);
    int index = 0;
    for (int c = 0; c < cols; ++c) {
        float v = x[row * cols + c];
        if (v > best) {
            best = v;
            index = c;
        }
    }
    values[row] = best;
    indices[row] = index;
}
