// Mean and inverse deviation of each group of channels of each image; one thread a group.
__global__ void statistics(const float* x, float* means, float* scales, int count, int size) {
    int group = blockIdx.x * blockDim.x + threadIdx.x;
    if (group >= count) {
        return;
    }
    const float* from = x + (long long)group * size;
    float sum = 0.0f;
    for (int i = 0; i < size; ++i) {
        sum += from[i];
    }
    float mean = sum / size;
    float squares = 0.0f;
    for (int i = 0; i < size; ++i) {
        squares += (from[i] - mean) * (from[i] - mean);
    }
    means[group] = mean;
    scales[group] = 1.0f / sqrtf(squares / size + 1e-5f);
}

// Normalises with the group's statistics and the channel's gamma and beta; one thread an element.
__global__ void group_norm(const float* x, const float* means, const float* scales, const float* gamma, const float* beta, float* y, int groups, int members, int area, long long total) {
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < total) {
        int group = i / ((long long)members * area);
        int channel = i / area % (groups * members);
        y[i] = (x[i] - means[group]) * scales[group] * gamma[channel] + beta[channel];
    }
}
