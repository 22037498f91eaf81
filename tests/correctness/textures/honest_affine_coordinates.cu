// Coordinates are an affine function of the pixel: rounding is another one, and so are a few steps of the filter.
__global__ void image_rotation(cudaTextureObject_t image, float* result, int width, int height, float cosine, float sine) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) {
        return;
    }
    float x0 = 0.5f * width - (0.5f * width - 0.5f) * cosine + (0.5f * height - 0.5f) * sine;
    float y0 = 0.5f * height - (0.5f * width - 0.5f) * sine - (0.5f * height - 0.5f) * cosine;
    result[y * width + x] = tex2D<float>(image, x0 + x * cosine - y * sine, y0 + x * sine + y * cosine);
}
