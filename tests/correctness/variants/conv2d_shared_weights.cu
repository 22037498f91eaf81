// One block computes part of one filter's plane; the filter's weights wait in shared memory, channel by channel.
__global__ void conv2d(const float* __restrict__ input, const float* __restrict__ weights, float* __restrict__ output, int batch,
                       int channels, int filters, int height, int width) {
    __shared__ float w[9];
    int parts = (height * width + blockDim.x - 1) / blockDim.x;  // blocks a plane
    int filter = blockIdx.x / parts % filters;
    int image = blockIdx.x / parts / filters;
    int pixel = blockIdx.x % parts * blockDim.x + threadIdx.x;
    int x = pixel % width;
    int y = pixel / width;
    bool inside = pixel < height * width;
    float sum = 0.0f;
    for (int c = 0; c < channels; ++c) {
        __syncthreads();
        if (threadIdx.x < 9) {
            w[threadIdx.x] = weights[(filter * channels + c) * 9 + threadIdx.x];
        }
        __syncthreads();
        if (inside) {
            const float* plane = input + (image * channels + c) * height * width;
            for (int r = 0; r < 3; ++r) {
                for (int s = 0; s < 3; ++s) {
                    int in_y = y + r - 1, in_x = x + s - 1;
                    if (in_y >= 0 && in_y < height && in_x >= 0 && in_x < width) {
                        sum += plane[in_y * width + in_x] * w[r * 3 + s];
                    }
                }
            }
        }
    }
    if (inside) {
        output[(image * filters + filter) * height * width + pixel] = sum;
    }
}
