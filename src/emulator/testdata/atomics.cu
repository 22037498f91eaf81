// Atomic operations of every form.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

extern "C" __global__ void integers(int* out, unsigned* u, unsigned long long* wide) {
    int t = threadIdx.x;
    atomicAdd(&out[0], t);
    atomicSub(&out[1], 2);
    atomicMin(&out[2], t - 5);
    atomicMax(&out[3], t);
    atomicAnd(&out[4], ~(1 << (t & 7)));
    atomicOr(&out[5], 1 << (t & 15));
    atomicXor(&out[6], t);
    atomicInc(&u[0], 10);
    atomicDec(&u[1], 20);
    atomicMin(&u[2], 100u + t);
    atomicMax(&u[3], (unsigned)t << 26);
    atomicAdd(&wide[0], 1ull << 33);
    atomicMax(&wide[1], (unsigned long long)t << 40);
    atomicAdd_system(&wide[2], 3ull);
    atomicAdd_block(&wide[3], 5ull);
}

extern "C" __global__ void floats(float* f, double* d, __half2* h, __nv_bfloat16* b) {
    int t = threadIdx.x;
    atomicAdd(&f[t & 1], 0.5f);
    atomicAdd(&d[0], 0.25);
    atomicAdd(h, __floats2half2_rn(1.0f, 2.0f));
    atomicAdd(b, __float2bfloat16(0.5f));
}

extern "C" __global__ void tickets(int* counter, int* owner, int* exchanged) {
    int ticket = atomicAdd(counter, 1);
    owner[ticket] = threadIdx.x;
    atomicExch(exchanged, ticket);
}

extern "C" __global__ void compare_and_swap(float* greatest, const float* x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int* place = (int*)greatest;
    int old = *place, assumed;
    do {
        assumed = old;
        if (__int_as_float(assumed) >= x[i]) break;
        old = atomicCAS(place, assumed, __float_as_int(x[i]));
    } while (old != assumed);
}

extern "C" __global__ void shared_histogram(const unsigned char* data, unsigned* bins, int n) {
    __shared__ unsigned local[256];
    for (int b = threadIdx.x; b < 256; b += blockDim.x) local[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&local[data[i]], 1u);
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += blockDim.x) atomicAdd(&bins[b], local[b]);
}

// Through a generic pointer that is shared for some lanes and global for others.
extern "C" __global__ void generic_target(unsigned* global_sum, unsigned* out) {
    __shared__ unsigned shared_sum;
    if (threadIdx.x == 0) shared_sum = 0;
    __syncthreads();
    unsigned* place = threadIdx.x % 3 == 0 ? &shared_sum : global_sum;
    atomicAdd(place, threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 0) *out = shared_sum;
}
