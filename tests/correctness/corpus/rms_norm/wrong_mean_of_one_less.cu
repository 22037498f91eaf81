// Divides each row by its root mean square and multiplies by a weight a column; one warp a row.
__device__ float warp_sum(float v) {
    for (int offset = 16; offset > 0; offset /= 2) {
        v += __shfl_xor_sync(0xffffffff, v, offset);
    }
    return v;
}

__global__ void rms_norm(const float* __restrict__ x, const float* __restrict__ weight, float* __restrict__ y, int rows, int cols, float eps) {
    int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    int lane = threadIdx.x % 32;
    if (row >= rows) {
        return;
    }
    const float* from = x + (long long)row * cols;
    float* to = y + (long long)row * cols;
    float sum = 0.0f;
    for (int c = lane; c < cols; c += 32) {
        sum += from[c] * from[c];
    }
    float scale = rsqrtf(warp_sum(sum) / (cols - 1) + eps);
    for (int c = lane; c < cols; c += 32) {
        to[c] = from[c] * scale * weight[c];
    }
}
