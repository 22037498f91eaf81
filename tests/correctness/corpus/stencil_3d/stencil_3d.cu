// Laplacian of a depth x height x width grid, zero outside; one thread a cell.
__global__ void stencil_3d(const float* x, float* y, int depth, int height, int width) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    int d = blockIdx.z;
    if (c >= width || r >= height) {
        return;
    }
    long long plane = (long long)height * width;
    long long i = d * plane + (long long)r * width + c;
    float sum = -6.0f * x[i];
    if (c > 0) {
        sum += x[i - 1];
    }
    if (c + 1 < width) {
        sum += x[i + 1];
    }
    if (r > 0) {
        sum += x[i - width];
    }
    if (r + 1 < height) {
        sum += x[i + width];
    }
    if (d > 0) {
        sum += x[i - plane];
    }
    if (d + 1 < depth) {
        sum += x[i + plane];
    }
    y[i] = sum;
}
