// One explicit step of the heat equation on a rows x cols grid; cells of the border keep their values. One thread a cell.
__global__ void heat_2d(const float* u, float* next, float alpha, int rows, int cols) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r >= rows || c >= cols) {
        return;
    }
    int i = r * cols + c;
    if (r == 0 || r == rows - 1 || c == 0 || c == cols - 1) {
        next[i] = u[i];
    } else {
        next[i] = u[i] + alpha * (u[i - cols] + u[i + cols] + u[i - 1] + u[i + 1] - 4.0f * u[i]);
    }
}
