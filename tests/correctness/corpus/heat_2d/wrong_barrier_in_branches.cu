// One explicit step of the heat equation; a block stages its cells and their neighbours in shared memory.
constexpr int width = 32;
constexpr int height = 8;

__global__ void heat_2d(const float* __restrict__ u, float* __restrict__ next, float alpha, int rows, int cols) {
    __shared__ float tile[height + 2][width + 2];
    int c = blockIdx.x * width + threadIdx.x;
    int r = blockIdx.y * height + threadIdx.y;
    int x = threadIdx.x + 1;
    int y = threadIdx.y + 1;
    int i = r * cols + c;
    bool inside = r < rows && c < cols;
    if (inside) {
        tile[y][x] = u[i];
        if (y == 1 && r > 0) {
            tile[0][x] = u[i - cols];
        }
        if (y == height && r + 1 < rows) {
            tile[height + 1][x] = u[i + cols];
        }
        if (x == 1 && c > 0) {
            tile[y][0] = u[i - 1];
        }
        if (x == width && c + 1 < cols) {
            tile[y][width + 1] = u[i + 1];
        }
        __syncthreads();
    } else {
        __syncthreads();
        return;
    }
    float here = tile[y][x];
    bool border = r == 0 || r == rows - 1 || c == 0 || c == cols - 1;
    if (border) {
        next[i] = here;
    } else {
        next[i] = here + alpha * (tile[y - 1][x] + tile[y + 1][x] + tile[y][x - 1] + tile[y][x + 1] - 4.0f * here);
    }
}
