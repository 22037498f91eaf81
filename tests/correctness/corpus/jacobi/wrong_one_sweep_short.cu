// One sweep: every inner cell becomes the mean of its four neighbours, the border stays. One thread a cell.
__global__ void jacobi(const float* from, float* to, int rows, int cols) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r >= rows || c >= cols) {
        return;
    }
    int i = r * cols + c;
    if (r == 0 || c == 0 || r == rows - 1 || c == cols - 1) {
        to[i] = from[i];
    } else {
        to[i] = 0.25f * (from[i - cols] + from[i + cols] + from[i - 1] + from[i + 1]);
    }
}
