// The largest value of each row and where it first stands; a block a row, value and place as one 64-bit key for atomicMax.
__device__ unsigned ordered(float v) {
    unsigned bits = __float_as_uint(v + 0.0f);  // -0 becomes 0
    return bits;
}

__global__ void row_argmax(const float* __restrict__ x, float* __restrict__ values, int* __restrict__ indices, int rows, int cols) {
    __shared__ unsigned long long best;
    const float infinity = __int_as_float(0x7f800000);
    const float* row = x + (long long)blockIdx.x * cols;
    if (threadIdx.x == 0) {
        best = (unsigned long long)ordered(-infinity) << 32 | 0xffffffffu;
    }
    __syncthreads();
    unsigned long long key = 0;
    for (int c = threadIdx.x; c < cols; c += blockDim.x) {
        float v = row[c];
        if (v > -infinity) {
            unsigned long long own = (unsigned long long)ordered(v) << 32 | (0xffffffffu - c);
            key = own > key ? own : key;
        }
    }
    if (key != 0) {
        atomicMax(&best, key);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        int index = 0xffffffffu - (unsigned)best;
        values[blockIdx.x] = (unsigned)(best >> 32) == ordered(-infinity) ? -infinity : row[index];
        indices[blockIdx.x] = index;
    }
}
