// As many blocks as a card has multiprocessors, whatever the number of rows; each warp goes from row to row.
__global__ void softmax(const float* __restrict__ x, float* __restrict__ y, int rows, int cols) {
    const int lane = threadIdx.x % 32;
    const long long warps = (long long)gridDim.x * (blockDim.x / 32);
    for (long long row = (blockIdx.x * blockDim.x + threadIdx.x) / 32; row < rows; row += warps) {
        const float* from = x + row * cols;
        float* to = y + row * cols;
        float largest = __int_as_float(0xff800000);
        for (int c = lane; c < cols; c += 32) {
            largest = fmaxf(largest, from[c]);
        }
        for (int d = 16; d > 0; d /= 2) {
            largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, d));
        }
        float sum = 0.0f;
        for (int c = lane; c < cols; c += 32) {
            sum += expf(from[c] - largest);
        }
        for (int d = 16; d > 0; d /= 2) {
            sum += __shfl_xor_sync(0xffffffffu, sum, d);
        }
        for (int c = lane; c < cols; c += 32) {
            to[c] = expf(from[c] - largest) / sum;
        }
    }
}
