// Averages of 3 x 3 windows at every second row and column; windows are clipped to the plane before they are summed.
__global__ void avg_pool(const float* __restrict__ x, float* __restrict__ y, int planes, int height, int width) {
    int out_height = (height + 1) / 2;
    int out_width = (width + 1) / 2;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= planes * out_height * out_width) {
        return;
    }
    int c = i % out_width * 2;
    int r = i / out_width % out_height * 2;
    const float* plane = x + (long long)(i / (out_width * out_height)) * height * width;
    int top = max(r - 1, 0);
    int bottom = min(r + 2, height);
    int left = max(c - 1, 0);
    int right = min(c + 2, width);
    float sum = 0.0f;
    for (int line = top; line < bottom; ++line) {
        for (int column = left; column < right; ++column) {
            sum += plane[line * width + column];
        }
    }
    y[i] = sum / ((bottom - top) * (right - left));
}
