// Starts from the least finite float: of nothing but -infinity none is larger.
__global__ void extremes(const float* x, float* result, int n) {
    __shared__ float largest[8], smallest[8];
    int t = threadIdx.x;
    float high = -3.402823466e38f, low = __int_as_float(0x7f800000);
    for (int i = t; i < n; i += blockDim.x) {
        high = fmaxf(high, x[i]);
        low = fminf(low, x[i]);
    }
    for (int d = 16; d > 0; d /= 2) {
        high = fmaxf(high, __shfl_xor_sync(~0u, high, d));
        low = fminf(low, __shfl_xor_sync(~0u, low, d));
    }
    if (t % 32 == 0) {
        largest[t / 32] = high;
        smallest[t / 32] = low;
    }
    __syncthreads();
    if (t == 0) {
        for (int w = 1; w < 8; ++w) {
            high = fmaxf(high, largest[w]);
            low = fminf(low, smallest[w]);
        }
        result[0] = high;
        result[1] = low;
    }
}
