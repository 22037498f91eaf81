// y = A x for bytes, summed in 32 bits; one warp a row, four products at once where rows consist of whole words.
__global__ void int8_gemv(const signed char* __restrict__ a, const signed char* __restrict__ x, int* __restrict__ y, int rows, int cols) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    int lane = threadIdx.x % 32;
    if (row >= rows) {
        return;
    }
    const signed char* from = a + (long long)row * cols;
    int words = cols / 4;
    int sum = 0;
    for (int j = lane; j < words; j += 32) {
        sum = __dp4a(reinterpret_cast<const int*>(from)[j], reinterpret_cast<const int*>(x)[j], sum);
    }
    for (int c = words * 4 + lane; c < cols; c += 32) {
        sum += from[c] * x[c];
    }
    sum = __reduce_add_sync(0xffffffff, sum);
    if (lane == 0) {
        y[row] = sum;
    }
}
