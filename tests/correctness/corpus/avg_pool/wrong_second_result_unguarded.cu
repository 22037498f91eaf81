// Averages of 3 x 3 windows at every second row and column; a thread makes two neighbouring results from sums of columns.
__global__ void avg_pool(const float* __restrict__ x, float* __restrict__ y, int planes, int height, int width) {
    int out_height = (height + 1) / 2;
    int out_width = (width + 1) / 2;
    int pairs = (out_width + 1) / 2;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= planes * out_height * pairs) {
        return;
    }
    int first = i % pairs * 2;
    int line = i / pairs;
    int r = line % out_height * 2;
    const float* plane = x + (long long)(line / out_height) * height * width;
    int top = max(r - 1, 0);
    int bottom = min(r + 2, height);
    float sums[5];
#pragma unroll
    for (int k = 0; k < 5; ++k) {
        int c = first * 2 + k - 1;
        sums[k] = 0.0f;
        if (c >= 0 && c < width) {
            for (int at = top; at < bottom; ++at) {
                sums[k] += plane[at * width + c];
            }
        }
    }
    float* to = y + (long long)line * out_width;
#pragma unroll
    for (int k = 0; k < 2; ++k) {
        int c = (first + k) * 2;
        int columns = min(c + 2, width) - max(c - 1, 0);
        to[first + k] = (sums[2 * k] + sums[2 * k + 1] + sums[2 * k + 2]) / ((bottom - top) * columns);
    }
}
