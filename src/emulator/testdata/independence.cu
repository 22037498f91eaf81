// Blocks of one launch that have nothing to do with each other, and blocks that do.

// Neighbouring elements belong to different blocks, so that every page is written by all of them. Odd ones stay uninitialised.
template <class Element>
__device__ void interleave(const float* x, Element* y) {
    unsigned i = threadIdx.x * gridDim.x + blockIdx.x;
    if (i % 2 == 0) y[i] = static_cast<Element>(x[i] * 3.0f + 0.1f);
}

extern "C" __global__ void interleave_bytes(const float* x, unsigned char* y) { interleave(x, y); }
extern "C" __global__ void interleave_floats(const float* x, float* y) { interleave(x, y); }
extern "C" __global__ void interleave_doubles(const float* x, double* y) { interleave(x, y); }

// Copies of uninitialised bytes stay uninitialised.
extern "C" __global__ void interleave_copies(const float* x, float* y, const float* partly) {
    unsigned i = threadIdx.x * gridDim.x + blockIdx.x;
    y[i] = i % 3 == 0 ? x[i] : partly[i];
}

// In place: each element is read and written by one thread.
extern "C" __global__ void in_place(float* x) {
    unsigned i = threadIdx.x * gridDim.x + blockIdx.x;
    x[i] = x[i] * 0.7f + 0.3f;
}

// Every block reads a byte of the word that its neighbour writes.
extern "C" __global__ void reads_other_block(float* y) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    float right = y[(i + blockDim.x) % (gridDim.x * blockDim.x)];
    y[i] = right + 1.0f;
}

// The last block reads what the first one wrote; nobody else meets.
extern "C" __global__ void last_reads_first(const float* x, float* y) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i] + (blockIdx.x == gridDim.x - 1 ? y[threadIdx.x] : 0.0f);
}

// All write one value, and whoever comes last reads it back.
extern "C" __global__ void same_value_read_back(int* flag, int* y) {
    if (threadIdx.x == 0) *flag = 7;
    __syncthreads();
    if (blockIdx.x == 2) y[threadIdx.x] = *flag;
}

extern "C" __global__ void last_block_overruns(const float* x, float* y, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n + 3) y[i] = x[i];
}

// Rounding makes the sum depend on the order of the additions.
extern "C" __global__ void float_sum(const float* x, float* sum) { atomicAdd(sum, x[blockIdx.x * blockDim.x + threadIdx.x]); }

// Within a block too: in shared memory, by warps that are not ordered.
extern "C" __global__ void float_sum_of_block(const float* x, float* y) {
    __shared__ float sum;
    if (threadIdx.x == 0) sum = 0.0f;
    __syncthreads();
    for (int k = 0; k < 40; ++k) atomicAdd(&sum, x[(blockIdx.x * blockDim.x + threadIdx.x + k * 17) % (gridDim.x * blockDim.x)]);
    __syncthreads();
    if (threadIdx.x == 0) y[blockIdx.x] = sum;
}

// The blocks' work is very uneven.
extern "C" __global__ void uneven(const float* x, float* y) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = x[i];
    for (unsigned k = 0; k < (blockIdx.x * 37 % 11) * 20; ++k) value = value * 0.99f + 0.01f;
    y[i] = value;
}

extern "C" __global__ void first_block_never_ends(float* y) {
    volatile float* place = y + blockIdx.x;
    *place = 1.0f;
    while (blockIdx.x == 1 && *place > 0.0f) {}
}
