// Four columns a thread; the sines of a row are found once.
__global__ void image_rotation(cudaTextureObject_t image, float* result, int width, int height, float cosine, float sine) {
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    float v = y + 0.5f - 0.5f * height;
    for (int x = first; x < min(first + 4, width) && y < height; ++x) {
        float u = x + 0.5f - 0.5f * width;
        float from_x = u * cosine - v * sine + 0.5f * width;
        float from_y = u * sine + v * cosine + 0.5f * height;
        result[y * width + x] = tex2D<float>(image, from_x, from_y);
    }
}
