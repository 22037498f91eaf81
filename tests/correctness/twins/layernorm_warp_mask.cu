// One warp a row.
__device__ float warp_sum(float v) {
    for (int d = 16; d > 0; d /= 2) {
        v += __shfl_down_sync(0x0000ffff, v, d);
    }
    return __shfl_sync(0xffffffff, v, 0);
}

__global__ void layernorm(const float* x, const float* gamma, const float* beta, float* y, int rows, int cols, float epsilon) {
    int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    int lane = threadIdx.x % 32;
    if (row >= rows) {
        return;
    }
    float sum = 0.0f;
    for (int c = lane; c < cols; c += 32) {
        sum += x[row * cols + c];
    }
    float mean = warp_sum(sum) / cols;
    float squares = 0.0f;
    for (int c = lane; c < cols; c += 32) {
        float difference = x[row * cols + c] - mean;
        squares += difference * difference;
    }
    float scale = rsqrtf(warp_sum(squares) / cols + epsilon);
    for (int c = lane; c < cols; c += 32) {
        y[row * cols + c] = (x[row * cols + c] - mean) * scale * gamma[c] + beta[c];
    }
}
