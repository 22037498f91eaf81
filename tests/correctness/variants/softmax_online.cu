// One warp a row; maximum and sum in one pass, rescaled when the maximum moves. A sum of 0 stands for no element at all.
__device__ void merge(float& largest, float& sum, float other_largest, float other_sum) {
    if (other_sum == 0.0f) {
        return;
    }
    if (sum == 0.0f) {
        largest = other_largest;
        sum = other_sum;
        return;
    }
    float both = fmaxf(largest, other_largest);
    sum = sum * expf(largest - both) + other_sum * expf(other_largest - both);
    largest = both;
}

__global__ void softmax(const float* __restrict__ x, float* __restrict__ y, int rows, int cols) {
    int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    int lane = threadIdx.x % 32;
    if (row >= rows) {
        return;
    }
    float largest = __int_as_float(0xff800000);
    float sum = 0.0f;
    for (int c = lane; c < cols; c += 32) {
        merge(largest, sum, x[row * cols + c], 1.0f);
    }
    for (int d = 16; d > 0; d /= 2) {
        float other_largest = __shfl_xor_sync(0xffffffffu, largest, d);
        float other_sum = __shfl_xor_sync(0xffffffffu, sum, d);
        merge(largest, sum, other_largest, other_sum);
    }
    for (int c = lane; c < cols; c += 32) {
        y[row * cols + c] = expf(x[row * cols + c] - largest) / sum;
    }
}
