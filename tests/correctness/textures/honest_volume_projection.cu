// Walks backwards: the greatest is the same.
__global__ void volume_projection(cudaTextureObject_t voxels, float* result, int width, int height, int steps) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) {
        return;
    }
    float u = (x + 0.5f) / width;
    float v = (y + 0.5f) / height;
    float greatest = 0.0f;
    for (int step = steps - 1; step >= 0; --step) {
        float w = (step + 0.5f) / steps;
        greatest = fmaxf(greatest, tex3D<float>(voxels, u + 0.1f * w, v - 0.1f * w, w));
    }
    result[y * width + x] = greatest;
}
