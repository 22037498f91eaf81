// Averages of 3 x 3 windows at every second row and column, padding 1 that does not count; one thread a result.
__global__ void avg_pool(const float* x, float* y, int planes, int height, int width) {
    int out_height = (height + 1) / 2;
    int out_width = (width + 1) / 2;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= planes * out_height * out_width) {
        return;
    }
    int c = i % out_width * 2;
    int r = i / out_width % out_height * 2;
    const float* plane = x + (long long)(i / (out_width * out_height)) * height * width;
    float sum = 0.0f;
    int count = 0;
    for (int dr = -1; dr <= 1; ++dr) {
        for (int dc = -1; dc <= 1; ++dc) {
            if (r + dr >= 0 && r + dr < height && c + dc >= 0 && c + dc < width) {
                sum += plane[(r + dr) * width + c + dc];
                ++count;
            }
        }
    }
    y[i] = sum / count;
}
