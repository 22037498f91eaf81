// Laplacian of a depth x height x width grid; a thread walks through the planes with three of them in registers.
__global__ void stencil_3d(const float* __restrict__ x, float* __restrict__ y, int depth, int height, int width) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    if (c >= width || r >= height) {
        return;
    }
    long long plane = (long long)height * width;
    long long i = (long long)r * width + c;
    float before = 0.0f;
    float here = x[i];
    for (int d = 0; d < depth; ++d) {
        float after = d < depth ? x[i + plane] : 0.0f;
        float sum = before + after - 6.0f * here;
        sum += c > 0 ? x[i - 1] : 0.0f;
        sum += c + 1 < width ? x[i + 1] : 0.0f;
        sum += r > 0 ? x[i - width] : 0.0f;
        sum += r + 1 < height ? x[i + width] : 0.0f;
        y[i] = sum;
        before = here;
        here = after;
        i += plane;
    }
}
