// 2-D convolution with 3 x 3 filters, stride 1, padding 1: input N C H W, weights K C 3 3, output N K H W; one thread an output.
__global__ void conv2d(const float* input, const float* weights, float* output, int batch, int channels, int filters,
                       int height, int width) {
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
        for (int r = 0; r < 3; ++r) {
            for (int s = 0; s < 3; ++s) {
                int in_y = y + r - 1;
                int in_x = x + s - 1;
                if (in_y >= 0 && in_y < height && in_x >= 0 && in_x < width) {
                    sum += input[((image * channels + c) * height + in_y) * width + in_x] *
                           weights[((filter * channels + c) * 3 + r) * 3 + s];
                }
            }
        }
    }
    output[i] = sum;
}
