// The largest value of each row and where it first stands; one warp a row.
__global__ void row_argmax(const float* __restrict__ x, float* __restrict__ values, int* __restrict__ indices, int rows, int cols) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    int lane = threadIdx.x % 32;
    if (row >= rows) {
        return;
    }
    float best = lane < cols ? __int_as_float(0xff800000) : 0.0f;
    int index = 0x7fffffff;
    for (int c = lane; c < cols; c += 32) {
        float v = x[(long long)row * cols + c];
        if (v > best) {
            best = v;
            index = c;
        }
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        float other = __shfl_xor_sync(0xffffffff, best, offset);
        int other_index = __shfl_xor_sync(0xffffffff, index, offset);
        if (other > best || (other == best && other_index < index)) {
            best = other;
            index = other_index;
        }
    }
    if (lane == 0) {
        values[row] = best;
        indices[row] = index == 0x7fffffff ? 0 : index;
    }
}
