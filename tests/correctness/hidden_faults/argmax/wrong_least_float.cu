// Starts from the least finite float: rows of nothing but -infinity have none larger.
__global__ void argmax(const float* x, int* place, float* largest, int rows, int cols) {
    int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    float best = -3.402823466e38f;
    int at = 0;
    for (int c = lane; c < cols; c += 32) {
        float v = x[(size_t)row * cols + c];
        if (v > best) {
            best = v;
            at = c;
        }
    }
    for (int d = 16; d > 0; d /= 2) {
        float v = __shfl_xor_sync(~0u, best, d);
        int other = __shfl_xor_sync(~0u, at, d);
        if (v > best || (v == best && other < at)) {
            best = v;
            at = other;
        }
    }
    if (lane == 0) {
        place[row] = at;
        largest[row] = best;
    }
}
