// One sweep: every inner cell becomes the mean of its four neighbours; a block stages its cells and their neighbours.
constexpr int columns = 32;
constexpr int lines = 8;

__global__ void jacobi(const float* __restrict__ from, float* __restrict__ to, int rows, int cols) {
    __shared__ float tile[lines + 2][columns + 2];
    int left = blockIdx.x * columns - 1;
    int top = blockIdx.y * lines - 1;
    for (int t = threadIdx.y * columns + threadIdx.x; t < (lines + 2) * (columns + 2); t += lines * columns) {
        int r = top + t / (columns + 2);
        int c = left + t % (columns + 2);
        if (r >= 0 && r < rows && c >= 0 && c < cols) {
            tile[t / (columns + 2)][t % (columns + 2)] = from[r * cols + c];
        }
    }
    int x = threadIdx.x + 1;
    int y = threadIdx.y + 1;
    int c = left + x;
    int r = top + y;
    if (r >= rows || c >= cols) {
        return;
    }
    if (r == 0 || c == 0 || r == rows - 1 || c == cols - 1) {
        to[r * cols + c] = tile[y][x];
    } else {
        to[r * cols + c] = 0.25f * (tile[y - 1][x] + tile[y + 1][x] + tile[y][x - 1] + tile[y][x + 1]);
    }
}
