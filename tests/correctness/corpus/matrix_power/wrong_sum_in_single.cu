// The square of a matrix, launched `steps` times for the power 2^steps; a thread makes four columns of one row.
__global__ void matrix_power(const double* __restrict__ from, double* __restrict__ to, int n) {
    int c = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r >= n) {
        return;
    }
    float sum[4] = {};
    for (int k = 0; k < n; ++k) {
        double left = from[r * n + k];
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            if (c + j < n) {
                sum[j] += left * from[k * n + c + j];
            }
        }
    }
#pragma unroll
    for (int j = 0; j < 4; ++j) {
        if (c + j < n) {
            to[r * n + c + j] = sum[j];
        }
    }
}
