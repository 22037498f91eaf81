// Straight and divergent kernels over global and shared memory.

extern "C" __global__ void scale(const float* x, float* y, float factor, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = factor * x[i];
}

extern "C" __global__ void matmul(const float* a, const float* b, float* c, int n) {
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= n || column >= n) return;
    float sum = 0.0f;
    for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

extern "C" __global__ void matmul_tiled(const float* a, const float* b, float* c, int n) {
    __shared__ float tile_a[16][16];
    __shared__ float tile_b[16][16];
    int column = blockIdx.x * 16 + threadIdx.x;
    int row = blockIdx.y * 16 + threadIdx.y;
    float sum = 0.0f;
    for (int k = 0; k < n; k += 16) {
        tile_a[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
        tile_b[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
        __syncthreads();
        for (int i = 0; i < 16; ++i) sum += tile_a[threadIdx.y][i] * tile_b[i][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

// The sum of the block's elements by a tree in shared memory.
extern "C" __global__ void block_sum(const float* x, float* sums, int n) {
    extern __shared__ float partial[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    partial[threadIdx.x] = i < n ? x[i] : 0.0f;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = partial[0];
}

// Steps of the Collatz sequence: every lane loops differently often, with a branch inside.
extern "C" __global__ void collatz(const unsigned* start, unsigned* steps, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned long long value = start[i];
    unsigned count = 0;
    while (value > 1) {
        if (value % 2 == 0)
            value /= 2;
        else
            value = 3 * value + 1;
        if (++count == 1000) break;
    }
    steps[i] = count;
}

extern "C" __global__ void softmax_row(const float* x, float* y, int rows, int columns) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    const float* in = x + row * columns;
    float* out = y + row * columns;
    float greatest = in[0];
    for (int i = 1; i < columns; ++i) greatest = fmaxf(greatest, in[i]);
    float sum = 0.0f;
    for (int i = 0; i < columns; ++i) sum += expf(in[i] - greatest);
    for (int i = 0; i < columns; ++i) out[i] = expf(in[i] - greatest) / sum;
}

extern "C" __global__ void relu(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] > 0.0f ? x[i] : 0.0f;
}
