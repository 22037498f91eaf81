// Matrix units: each kernel multiplies one tile per warp. Blocks of 32 threads.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

template <int M, int N, int K, class In, class Stored, class Out, class LayoutA, class LayoutB>
__device__ void tile(const Stored* a, const Stored* b, Out* d, int lda, int ldb, Out scale) {
    wmma::fragment<wmma::matrix_a, M, N, K, In, LayoutA> fa;
    wmma::fragment<wmma::matrix_b, M, N, K, In, LayoutB> fb;
    wmma::fragment<wmma::accumulator, M, N, K, Out> fc;
    wmma::fill_fragment(fc, Out(1));
    wmma::load_matrix_sync(fa, a, lda);
    wmma::load_matrix_sync(fb, b, ldb);
    wmma::mma_sync(fc, fa, fb, fc);
    for (int i = 0; i < fc.num_elements; ++i) fc.x[i] = fc.x[i] * scale;
    wmma::store_matrix_sync(d, fc, N, wmma::mem_row_major);
}

extern "C" __global__ void half_row_row(const half* a, const half* b, float* d) {
    tile<16, 16, 16, half, half, float, wmma::row_major, wmma::row_major>(a, b, d, 16, 16, 2.0f);
}
extern "C" __global__ void half_col_col(const half* a, const half* b, float* d) {
    tile<16, 16, 16, half, half, float, wmma::col_major, wmma::col_major>(a, b, d, 16, 16, 2.0f);
}
extern "C" __global__ void half_to_half(const half* a, const half* b, half* d) {
    tile<16, 16, 16, half, half, half, wmma::row_major, wmma::col_major>(a, b, d, 16, 16, half(2.0f));
}
extern "C" __global__ void half_tall(const half* a, const half* b, float* d) {
    tile<32, 8, 16, half, half, float, wmma::row_major, wmma::row_major>(a, b, d, 16, 8, 2.0f);
}
extern "C" __global__ void bfloat(const __nv_bfloat16* a, const __nv_bfloat16* b, float* d) {
    tile<16, 16, 16, __nv_bfloat16, __nv_bfloat16, float, wmma::row_major, wmma::row_major>(a, b, d, 16, 16, 2.0f);
}
extern "C" __global__ void tensor_float(const float* a, const float* b, float* d) {
    tile<16, 16, 8, wmma::precision::tf32, float, float, wmma::row_major, wmma::row_major>(a, b, d, 8, 16, 2.0f);
}
extern "C" __global__ void bytes(const signed char* a, const signed char* b, int* d) {
    tile<16, 16, 16, signed char, signed char, int, wmma::row_major, wmma::col_major>(a, b, d, 16, 16, 2);
}
extern "C" __global__ void doubles(const double* a, const double* b, double* d) {
    tile<8, 8, 4, double, double, double, wmma::row_major, wmma::row_major>(a, b, d, 4, 8, 2.0);
}

// Through shared memory of which the last row of A is not loaded.
extern "C" __global__ void half_shared(const half* a, const half* b, float* d, int rows) {
    __shared__ __align__(32) half sa[256];
    __shared__ __align__(32) half sb[256];
    for (int i = threadIdx.x; i < rows * 16; i += 32) sa[i] = a[i];
    for (int i = threadIdx.x; i < 256; i += 32) sb[i] = b[i];
    __syncwarp();
    tile<16, 16, 16, half, half, float, wmma::row_major, wmma::row_major>(sa, sb, d, 16, 16, 2.0f);
}

// The layout of mma.sync as PTX defines it: lane l holds A's rows l/4 and l/4+8, columns 2(l%4), +1, +8, +9.
extern "C" __global__ void by_hand(const half* a, const half* b, float* d) {
    int group = threadIdx.x / 4, member = threadIdx.x % 4;
    unsigned fa[4], fb[2];
    float c[4] = {1.0f, 1.0f, 1.0f, 1.0f};
    for (int i = 0; i < 4; ++i) fa[i] = *(const unsigned*)&a[(group + 8 * (i % 2)) * 16 + 2 * member + 8 * (i / 2)];
    for (int i = 0; i < 2; ++i) {
        __half2 pair = __halves2half2(b[(2 * member + 8 * i) * 8 + group], b[(2 * member + 8 * i + 1) * 8 + group]);
        fb[i] = *(unsigned*)&pair;
    }
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]));
    for (int i = 0; i < 4; ++i) d[(group + 8 * (i / 2)) * 8 + 2 * member + i % 2] = 2.0f * c[i];
}
