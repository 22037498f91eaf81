// Normalises each group of channels of each image; one warp a group, statistics in one pass after Welford, merged after Chan.
__global__ void group_norm(const float* __restrict__ x, const float* __restrict__ gamma, const float* __restrict__ beta, float* __restrict__ y, int groups, int members, int area) {
    int size = members * area;
    const float* from = x + (long long)blockIdx.x * size;
    float* to = y + (long long)blockIdx.x * size;
    float count = 0.0f;
    float mean = 0.0f;
    float squares = 0.0f;
    for (int i = threadIdx.x; i < size; i += 32) {
        float v = from[i];
        count += 1.0f;
        float delta = v - mean;
        mean += delta / count;
        squares += delta * (v - mean);
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        float other_count = __shfl_xor_sync(0xffffffff, count, offset);
        float other_mean = __shfl_xor_sync(0xffffffff, mean, offset);
        float other_squares = __shfl_xor_sync(0xffffffff, squares, offset);
        float both = count + other_count;
        float delta = other_mean - mean;
        mean = (mean * count + other_mean * other_count) / both;
        squares += other_squares + delta * delta * count * other_count / both;
        count = both;
    }
    float scale = 1.0f / sqrtf(squares / size + 1e-5f);
    int first = blockIdx.x % groups * members;
    for (int i = threadIdx.x; i < size; i += 32) {
        int channel = first + i / area;
        to[i] = (from[i] - mean) * scale * gamma[channel] + beta[channel];
    }
}
