// Steps until z = z * z + c leaves the circle of radius 2, at most `limit`; one thread a point.
__device__ int steps_of(float x, float y, int limit) {
    float zx = 0.0f;
    float zy = 0.0f;
    int steps = 0;
    float size = 0.0f;
    while (steps < limit && size <= 4.0f) {
        size = zx * zx + zy * zy;
        float next = zx * zx - zy * zy + x;
        zy = 2.0f * zx * zy + y;
        zx = next;
        ++steps;
    }
    return steps;
}

__global__ void mandelbrot(int* counts, float left, float top, float step, int rows, int cols, int limit) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r < rows && c < cols) {
        counts[r * cols + c] = steps_of(left + c * step, top + r * step, limit);
    }
}
