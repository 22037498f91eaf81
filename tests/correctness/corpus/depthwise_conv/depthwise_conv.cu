// Correlates each channel with its own 3 x 3 weights, zero outside; one thread an element.
__global__ void depthwise_conv(const float* x, const float* weights, float* y, int channels, int height, int width) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    int plane = blockIdx.z;
    if (r >= height || c >= width) {
        return;
    }
    const float* from = x + (long long)plane * height * width;
    const float* w = weights + plane % channels * 9;
    float sum = 0.0f;
    for (int dr = -1; dr <= 1; ++dr) {
        for (int dc = -1; dc <= 1; ++dc) {
            if (r + dr >= 0 && r + dr < height && c + dc >= 0 && c + dc < width) {
                sum += w[(dr + 1) * 3 + dc + 1] * from[(r + dr) * width + c + dc];
            }
        }
    }
    y[(long long)plane * height * width + r * width + c] = sum;
}
