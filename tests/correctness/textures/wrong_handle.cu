// Passes the handle on through 32 bits.
__global__ void image_rotation(cudaTextureObject_t image, float* result, int width, int height, float cosine, float sine) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) {
        return;
    }
    float u = x + 0.5f - 0.5f * width;
    float v = y + 0.5f - 0.5f * height;
    float from_x = u * cosine - v * sine + 0.5f * width;
    float from_y = u * sine + v * cosine + 0.5f * height;
    unsigned int shortened = (unsigned int)image;
    result[y * width + x] = tex2D<float>(shortened, from_x, from_y);
}
