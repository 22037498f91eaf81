// Accesses outside of memory and at wrong addresses. The tests name lines of this file.

extern "C" __global__ void one_too_many(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) y[i] = x[i];
}

extern "C" __global__ void before_the_start(const float* x, float* y) {
    int i = threadIdx.x;
    y[i] = x[i - 1];
}

extern "C" __global__ void vectors(const float* x, float4* y) { y[threadIdx.x] = *(const float4*)(x + 3 * threadIdx.x); }

extern "C" __global__ void far_away(const float* x, float* y, int index) { y[0] = x[index * 4]; }

extern "C" __global__ void null_pointer(float* y, const float* x) {
    if (threadIdx.x == 3) y[5] = x[0];
}

// Writes one element past the first of two neighbouring shared arrays.
extern "C" __global__ void shared_overrun(int* y) {
    __shared__ int a[32];
    __shared__ int b[32];
    b[threadIdx.x] = threadIdx.x;
    a[threadIdx.x + 1] = threadIdx.x;
    __syncthreads();
    y[threadIdx.x] = a[threadIdx.x ^ 1 ? 1 : 2] + b[threadIdx.x];
}

extern "C" __global__ void dynamic_overrun(int* y) {
    extern __shared__ int s[];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    y[threadIdx.x] = s[threadIdx.x + 1];
}

extern "C" __global__ void local_overrun(int* y, int n) {
    int values[8];
    for (int i = 0; i < n; ++i) values[i] = i;
    y[threadIdx.x] = values[threadIdx.x & 7];
}

extern "C" __global__ void heap(int* y, int extra) {
    int* p = (int*)malloc(16 * sizeof(int));
    for (int i = 0; i < 16 + extra; ++i) p[i] = i + threadIdx.x;
    y[threadIdx.x] = p[7];
    free(p);
}

extern "C" __global__ void heap_after_free(int* y) {
    int* p = (int*)malloc(16);
    p[0] = 4;
    free(p);
    y[threadIdx.x] = p[0];
}

extern "C" __global__ void constant_overrun(int* y, int i);
__constant__ int table[4] = {10, 11, 12, 13};
extern "C" __global__ void constant_overrun(int* y, int i) { y[threadIdx.x] = table[i + threadIdx.x]; }
