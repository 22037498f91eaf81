// Laplacian of a depth x height x width grid; a block walks through the planes, the plane at hand in shared memory.
constexpr int columns = 32;
constexpr int lines = 8;

__global__ void stencil_3d(const float* __restrict__ x, float* __restrict__ y, int depth, int height, int width) {
    __shared__ float tile[lines + 2][columns + 2];
    int c = blockIdx.x * columns + threadIdx.x;
    int r = blockIdx.y * lines + threadIdx.y;
    bool inside = c < width && r < height;
    long long plane = (long long)height * width;
    long long i = (long long)r * width + c;
    float before = 0.0f;
    float here = inside ? x[i] : 0.0f;
    for (int d = 0; d < depth; ++d) {
        tile[threadIdx.y + 1][threadIdx.x + 1] = here;
        if (threadIdx.x == 0) {
            tile[threadIdx.y + 1][0] = inside && c > 0 ? x[i - 1] : 0.0f;
        }
        if (threadIdx.x == columns - 1) {
            tile[threadIdx.y + 1][columns + 1] = inside && c + 1 < width ? x[i + 1] : 0.0f;
        }
        if (threadIdx.y == 0) {
            tile[0][threadIdx.x + 1] = inside && r > 0 ? x[i - width] : 0.0f;
        }
        if (threadIdx.y == lines - 1) {
            tile[lines + 1][threadIdx.x + 1] = inside && r + 1 < height ? x[i + width] : 0.0f;
        }
        __syncthreads();
        float after = inside && d + 1 < depth ? x[i + plane] : 0.0f;
        if (inside) {
            y[i] = before + after + tile[threadIdx.y + 1][threadIdx.x] + tile[threadIdx.y + 1][threadIdx.x + 2] +
                   tile[threadIdx.y][threadIdx.x + 1] + tile[threadIdx.y + 2][threadIdx.x + 1] - 6.0f * here;
        }
        before = here;
        here = after;
        i += plane;
    }
}
