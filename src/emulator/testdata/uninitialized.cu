// Uninitialised memory: read where it matters, and where it does not. The tests name lines of this file.

extern "C" __global__ void stale_accumulator(float* y, const float* x) {
    y[threadIdx.x] += x[threadIdx.x];
}

extern "C" __global__ void fresh_accumulator(float* y, const float* x) {
    y[threadIdx.x] = 1.0f;
    y[threadIdx.x] += x[threadIdx.x];
}

// The last element of the shared array is never written.
extern "C" __global__ void shared_tail(float* y, const float* x) {
    __shared__ float s[65];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = s[threadIdx.x] - s[threadIdx.x + 1];
}

extern "C" __global__ void shared_tail_written(float* y, const float* x) {
    __shared__ float s[65];
    s[threadIdx.x] = x[threadIdx.x];
    if (threadIdx.x == 0) s[64] = 0.0f;
    __syncthreads();
    y[threadIdx.x] = s[threadIdx.x] - s[threadIdx.x + 1];
}

extern "C" __global__ void decides_branch(const int* flags, int* y) {
    if (flags[threadIdx.x] > 0) y[threadIdx.x] = 1;
}

extern "C" __global__ void makes_address(const int* index, int* y) {
    y[index[threadIdx.x] & 63] = 1;
}

extern "C" __global__ void counts(int* bins) {
    atomicAdd(&bins[threadIdx.x & 1], 1);
}

// A local array of which only a part is written.
extern "C" __global__ void local_part(float* y, const float* x, int n, int k) {
    float values[16];
    for (int i = 0; i < n; ++i) values[i * k & 15] = x[i];
    y[threadIdx.x] = values[threadIdx.x & 15] * 2.0f;
}

struct Padded {
    char kind;
    int value;
    short last;
};

extern "C" __global__ void write_fields(Padded* out) {
    int t = threadIdx.x;
    out[t].kind = (char)t;
    out[t].value = 3 * t;
    out[t].last = (short)(t + 7);
}

// Copies whole structures, padding and all.
extern "C" __global__ void copy_structures(const Padded* in, Padded* out) {
    Padded one = in[threadIdx.x];
    out[threadIdx.x] = one;
}

extern "C" __global__ void copy_through_shared(const Padded* in, Padded* out) {
    __shared__ Padded s[64];
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[63 - threadIdx.x] = s[threadIdx.x];
}

// Copies in words, whatever they hold.
extern "C" __global__ void copy_words(const uint4* in, uint4* out, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = in[i];
}

extern "C" __global__ void read_fields(const Padded* in, int* out) {
    int t = threadIdx.x;
    out[t] = in[t].kind + in[t].value + in[t].last;
}

// The byte that is there, taken out of words of which the rest is not.
extern "C" __global__ void take_bytes(const unsigned* words, unsigned* out) {
    unsigned word = words[threadIdx.x];
    out[threadIdx.x] = (word & 0xff) + ((word << 24) >> 28);
}

extern "C" __global__ void write_low_bytes(unsigned char* bytes) { bytes[4 * threadIdx.x] = (unsigned char)(threadIdx.x * 5); }

__device__ __noinline__ float doubled(float x) { return 2.0f * x; }

extern "C" __global__ void through_a_call(const float* x, float* y) { y[threadIdx.x] = doubled(x[threadIdx.x]); }

// Lane 31 takes the value of a lane outside the mask, and stores it.
extern "C" __global__ void shuffled_from_outside(const int* x, int* y) {
    if (threadIdx.x < 16) y[threadIdx.x] = __shfl_down_sync(0x0000ffff, x[threadIdx.x], 1);
}

extern "C" __global__ void shuffled_sum(const int* x, int* y) {
    if (threadIdx.x < 16) {
        int v = x[threadIdx.x];
        for (int d = 8; d > 0; d /= 2) v += __shfl_down_sync(0x0000ffff, v, d);
        if (threadIdx.x == 0) *y = v;
    }
}

// Variables in registers that have no value.
extern "C" __global__ void sum_from_nothing(const float* x, float* y, int n) {
    float sum;
    for (int i = 0; i < n; ++i) sum += x[i * 64 + threadIdx.x];
    y[threadIdx.x] = sum;
}

// The first round has no last value, and does not use it.
extern "C" __global__ void changes(const int* x, int* y, int n) {
    int last;
    for (int i = 0; i < n; ++i) {
        int now = x[i * 64 + threadIdx.x];
        if (i > 0 && now != last) y[i * 64 + threadIdx.x] = last;
        last = now;
    }
}

extern "C" __global__ void greatest(const float* x, float* y, int n) {
    float most;
    bool any = false;
    for (int i = 0; i < n; ++i) {
        float now = x[i * 64 + threadIdx.x];
        if (now > 0.0f) {
            most = any ? fmaxf(most, now) : now;
            any = true;
        }
    }
    if (any) y[threadIdx.x] = most;
}
