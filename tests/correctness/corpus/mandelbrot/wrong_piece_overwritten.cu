// Steps until z = z * z + c leaves the circle of radius 2, at most `limit`; blocks draw pieces of 64 points from a counter.
__device__ int steps_of(float x, float y, int limit) {
    float zx = 0.0f;
    float zy = 0.0f;
    int steps = 0;
    while (steps < limit && zx * zx + zy * zy <= 4.0f) {
        float next = zx * zx - zy * zy + x;
        zy = 2.0f * zx * zy + y;
        zx = next;
        ++steps;
    }
    return steps;
}

__global__ void mandelbrot(int* __restrict__ counts, int* __restrict__ drawn, float left, float top, float step, int rows, int cols, int limit) {
    __shared__ int piece;
    while (true) {
        if (threadIdx.x == 0) {
            piece = atomicAdd(drawn, 64);
        }
        __syncthreads();
        int i = piece + threadIdx.x;
        if (i - (int)threadIdx.x >= rows * cols) {
            break;
        }
        if (i < rows * cols) {
            counts[i] = steps_of(left + i % cols * step, top + i / cols * step, limit);
        }
    }
}
