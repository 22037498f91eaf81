// Correlates each channel with its own 3 x 3 weights; a block walks over the images of one channel with a tile in shared memory.
constexpr int columns = 16;
constexpr int lines = 8;

__global__ void depthwise_conv(const float* __restrict__ x, const float* __restrict__ weights, float* __restrict__ y, int channels, int height, int width, int batch) {
    __shared__ float tile[lines + 2][columns + 2];
    int c = blockIdx.x * columns;
    int r = blockIdx.y * lines;
    int thread = threadIdx.y * columns + threadIdx.x;
    float w[9];
    for (int k = 0; k < 9; ++k) {
        w[k] = weights[blockIdx.z * 9 + k];
    }
    for (int image = 0; image < batch; ++image) {
        long long plane = ((long long)image * channels + blockIdx.z) * height * width;
        for (int t = thread; t < (lines + 2) * (columns + 2); t += lines * columns) {
            int tr = r + t / (columns + 2) - 1;
            int tc = c + t % (columns + 2) - 1;
            bool inside = tr >= 0 && tr < height && tc >= 0 && tc < width;
            tile[t / (columns + 2)][t % (columns + 2)] = inside ? x[plane + tr * width + tc] : 0.0f;
        }
        __syncthreads();
        float sum = 0.0f;
        for (int k = 0; k < 9; ++k) {
            sum += w[k] * tile[threadIdx.y + k / 3][threadIdx.x + k % 3];
        }
        if (r + threadIdx.y < height && c + threadIdx.x < width) {
            y[plane + (r + threadIdx.y) * width + c + threadIdx.x] = sum;
        }
    }
}
