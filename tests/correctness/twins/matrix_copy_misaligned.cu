// Four columns a thread, as float4.
__global__ void matrix_copy(const float* a, float* b, int rows, int cols) {
    int col = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || col >= cols) {
        return;
    }
    if (col + 3 < cols) {
        *reinterpret_cast<float4*>(b + row * cols + col) = *reinterpret_cast<const float4*>(a + row * cols + col);
    } else {
        for (; col < cols; ++col) {
            b[row * cols + col] = a[row * cols + col];
        }
    }
}
