// A row a thread, a row a block, and their helpers.
#define NEGATIVE_INFINITY __int_as_float(0xff800000)
#define SQUARE(a) ((a) * (a))

static __device__ __forceinline__ float warp_sum(float v) {
    for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(0xffffffffu, v, d);
    return v;
}

extern "C" __global__ __launch_bounds__(256) void norm_rows(const float* __restrict__ x, float* y, int rows, int cols) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    const float *p = x + r * cols, *end = p + cols;
    float s = 0.0f, m = NEGATIVE_INFINITY;
    for (const float* q = p; q < end; ++q) s += SQUARE(*q);
#pragma unroll 4
    for (int c = 0; c < cols; ++c) m = fmaxf(m, p[c]);  // largest
    for (int c = 0; c < cols; ++c)
        if (p[c] > 0)
            y[r * cols + c] = p[c] * rsqrtf(s) - m;
        else
            y[r * cols + c] = 0;
}

template <typename T, int N>
__global__ void scale(const T* in, T* out, unsigned n, T factor = T(1)) {
    __shared__ T tile[32][N + 1];
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.y][threadIdx.x & 31] = in[i / N * N + i % N];
    __syncthreads();
    do {
        if (i < n) out[i] = tile[threadIdx.x >> 5][i % N] * factor;
        i += gridDim.x * blockDim.x;
    } while (i < n);
}
