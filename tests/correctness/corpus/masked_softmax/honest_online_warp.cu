// Softmax of the first `lengths[row]` elements of each row; one warp a row, maximum and sum in one pass.
__global__ void masked_softmax(const float* __restrict__ x, const int* __restrict__ lengths, float* __restrict__ y, int rows, int cols) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    int lane = threadIdx.x % 32;
    if (row >= rows) {
        return;
    }
    const float nothing = __int_as_float(0xff800000);
    int length = lengths[row];
    const float* from = x + (long long)row * cols;
    float* to = y + (long long)row * cols;
    float largest = nothing;
    float sum = 0.0f;
    for (int c = lane; c < length; c += 32) {
        float v = from[c];
        float larger = fmaxf(largest, v);
        if (larger != largest) {
            sum *= expf(largest - larger);
        }
        sum += v == nothing ? 0.0f : expf(v - larger);
        largest = larger;
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        float other_largest = __shfl_xor_sync(0xffffffff, largest, offset);
        float other_sum = __shfl_xor_sync(0xffffffff, sum, offset);
        float larger = fmaxf(largest, other_largest);
        sum *= largest == larger ? 1.0f : expf(largest - larger);
        sum += other_sum * (other_largest == larger ? 1.0f : expf(other_largest - larger));
        largest = larger;
    }
    for (int c = lane; c < cols; c += 32) {
        to[c] = c < length ? expf(from[c] - largest) / sum : 0.0f;
    }
}
