__device__ float warp_sum(float v) {
    for (int d = 16; d > 0; d /= 2) {
        v += __shfl_xor_sync(0xffffffffu, v, d);
    }
    return v;
}

// One warp a row.
__global__ void cross_entropy(const float* __restrict__ x, const int* __restrict__ targets, float* __restrict__ losses, int rows,
                              int cols) {
    int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    int lane = threadIdx.x % 32;
    if (row >= rows) {
        return;
    }
    float largest = __int_as_float(0xff800000);
    for (int c = lane; c < cols; c += 32) {
        largest = fmaxf(largest, x[row * cols + c]);
    }
    for (int d = 16; d > 0; d /= 2) {
        largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, d));
    }
    float sum = 0.0f;
    for (int c = lane; c < cols; c += 32) {
        sum += expf(x[row * cols + c] - largest);
    }
    sum = warp_sum(sum);
    if (lane == 0) {
        losses[row] = logf(sum) + largest - x[row * cols + targets[row]];
    }
}
