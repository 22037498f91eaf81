__global__ void conv2d(const float* __restrict__ input, const float* __restrict__ weights, float* __restrict__ output, int batch,
                       int channels, int filters, int height, int width) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= batch * filters * height * width) {
        return;
    }
    int x = i % width;
    int y = i / width % height;
    int filter = i / (width * height) % filters;
    int image = i / (width * height * filters);
    float sum = 0.0f;
    for (int c = 0; c < channels; ++c) {
        const float* plane = input + (image * channels + c) * height * width;
        const float* w = weights + (filter * channels + c) * 9;
#pragma unroll
        for (int r = 0; r < 3; ++r) {
#pragma unroll
            for (int s = 0; s < 2; ++s) {
                int in_y = y + r - 1;
                int in_x = x + s - 1;
                if (in_y >= 0 && in_y < height && in_x >= 0 && in_x < width) {
                    sum += plane[in_y * width + in_x] * w[r * 3 + s];
                }
            }
        }
    }
    output[i] = sum;
}
