// y = A x for bytes, summed in 32 bits; a block keeps x in shared memory, a thread adds four sums of one row.
__global__ void int8_gemv(const signed char* __restrict__ a, const signed char* __restrict__ x, int* __restrict__ y, int rows, int cols) {
    extern __shared__ signed char near[];
    for (int c = threadIdx.x; c < cols; c += blockDim.x) {
        near[c] = x[c];
    }
    __syncthreads();
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) {
        return;
    }
    const signed char* from = a + (long long)row * cols;
    int sum[4] = {};
    int c = 0;
    for (; c + 4 <= cols; c += 4) {
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            sum[k] += from[c + k] * near[c + k];
        }
    }
    y[row] = sum[0] + sum[1] + sum[2] + sum[3];
}
