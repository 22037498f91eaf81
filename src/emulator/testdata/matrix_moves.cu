// ldmatrix and stmatrix through their inline assembly. One warp.

template <int count, bool transpose>
__device__ void load(unsigned (&r)[4], unsigned address) {
    if (count == 1 && !transpose) asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(address));
    if (count == 1 && transpose) asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(address));
    if (count == 2 && !transpose)
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : "r"(address));
    if (count == 4 && !transpose)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(address));
    if (count == 4 && transpose)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(address));
}

// Rows of 16 bytes lie 48 bytes apart: row i of all matrices together at 48 i. `rows` of them are filled.
template <int count, bool transpose>
__device__ void loads(const unsigned short* x, unsigned* y, int rows) {
    __shared__ __align__(16) unsigned short s[32 * 24];
    for (int i = threadIdx.x; i < rows * 8; i += 32) s[i / 8 * 24 + i % 8] = x[i];
    __syncwarp();
    unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(s + threadIdx.x % (8 * count) * 24));
    unsigned r[4] = {};
    load<count, transpose>(r, address);
    for (int i = 0; i < count; ++i) y[i * 32 + threadIdx.x] = r[i];
}

extern "C" __global__ void load1(const unsigned short* x, unsigned* y, int rows) { loads<1, false>(x, y, rows); }
extern "C" __global__ void load1_transposed(const unsigned short* x, unsigned* y, int rows) { loads<1, true>(x, y, rows); }
extern "C" __global__ void load2(const unsigned short* x, unsigned* y, int rows) { loads<2, false>(x, y, rows); }
extern "C" __global__ void load4(const unsigned short* x, unsigned* y, int rows) { loads<4, false>(x, y, rows); }
extern "C" __global__ void load4_transposed(const unsigned short* x, unsigned* y, int rows) { loads<4, true>(x, y, rows); }

// Loaded as they are, stored transposed: y holds the transposes of the four matrices of x.
extern "C" __global__ void transposes(const unsigned short* x, unsigned short* y, int rows) {
    __shared__ __align__(16) unsigned short s[256], t[256];
    for (int i = threadIdx.x; i < rows * 8; i += 32) s[i] = x[i];
    __syncwarp();
    unsigned r[4];
    load<4, false>(r, static_cast<unsigned>(__cvta_generic_to_shared(s + threadIdx.x * 8)));
    asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1,%2,%3,%4};" ::"r"(
                     static_cast<unsigned>(__cvta_generic_to_shared(t + threadIdx.x * 8))),
                 "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3])
                 : "memory");
    __syncwarp();
    for (int i = threadIdx.x; i < 256; i += 32)
        if (t[i] != 7) y[i] = t[i];
}

// The rows that it stores are read by others without order.
extern "C" __global__ void stores_too_early(unsigned* y) {
    __shared__ __align__(16) unsigned short s[64];
    unsigned r = threadIdx.x;
    asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(
                     static_cast<unsigned>(__cvta_generic_to_shared(s + threadIdx.x % 8 * 8))),
                 "r"(r)
                 : "memory");
    y[threadIdx.x] = s[63 - threadIdx.x];
}
