// Divides each row by its root mean square and multiplies by a weight a column; one thread a row.
__global__ void rms_norm(const float* x, const float* weight, float* y, int rows, int cols, float eps) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) {
        return;
    }
    float sum = 0.0f;
    for (int c = 0; c < cols; ++c) {
        float v = x[row * cols + c];
        sum += v * v;
    }
    float scale = 1.0f / sqrtf(sum / cols + eps);
    for (int c = 0; c < cols; ++c) {
        y[row * cols + c] = x[row * cols + c] * scale * weight[c];
    }
}
