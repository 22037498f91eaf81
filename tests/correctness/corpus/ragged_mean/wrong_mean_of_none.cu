// Mean of the first `lengths[row]` elements of each row, 0 of none; one warp a row.
__global__ void ragged_mean(const float* __restrict__ x, const int* __restrict__ lengths, float* __restrict__ y, int rows, int longest) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    int lane = threadIdx.x % 32;
    if (row >= rows) {
        return;
    }
    int length = lengths[row];
    const float* from = x + (long long)row * longest;
    float sum = 0.0f;
    for (int c = lane; c < length; c += 32) {
        sum += from[c];
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    }
    if (lane == 0) {
        y[row] = sum / length;
    }
}
