// Correlates each channel with its own 3 x 3 weights; a thread makes four neighbouring columns from three lines in registers.
__global__ void depthwise_conv(const float* __restrict__ x, const float* __restrict__ weights, float* __restrict__ y, int channels, int height, int width) {
    int c = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    int r = blockIdx.y;
    int plane = blockIdx.z;
    if (c >= width) {
        return;
    }
    const float* from = x + (long long)plane * height * width;
    const float* w = weights + plane % channels * 9;
    float sum[4] = {};
#pragma unroll
    for (int dr = 0; dr < 3; ++dr) {
        int line = r + dr - 1;
        if (line < 0 || line >= height) {
            continue;
        }
        float v[6];
#pragma unroll
        for (int k = 0; k < 6; ++k) {
            int at = c + k - 1;
            v[k] = at >= 0 && at < width ? from[line * width + at] : 0.0f;
        }
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            sum[k] += w[dr * 3] * v[k] + w[dr * 3 + 1] * v[k + 1] + w[dr * 3 + 2] * v[k + 2];
        }
    }
    float* to = y + ((long long)plane * height + r) * width;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        if (c + k < width) {
            to[c + k] = sum[k];
        }
    }
}
