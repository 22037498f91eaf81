// Steps until z = z * z + c leaves the circle of radius 2, at most `limit`; a fixed grid strides over the points.
__device__ int steps_of(float x, float y, int limit) {
    float zx = 0.0f;
    float zy = 0.0f;
    unsigned char steps = 0;
    for (int i = 0; i < limit && zx * zx + zy * zy <= 4.0f; ++i) {
        float next = zx * zx - zy * zy + x;
        zy = 2.0f * zx * zy + y;
        zx = next;
        ++steps;
    }
    return steps;
}

__global__ void mandelbrot(int* __restrict__ counts, float left, float top, float step, int rows, int cols, int limit) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows * cols; i += gridDim.x * blockDim.x) {
        int r = i / cols;
        int c = i % cols;
        counts[i] = steps_of(left + c * step, top + r * step, limit);
    }
}
