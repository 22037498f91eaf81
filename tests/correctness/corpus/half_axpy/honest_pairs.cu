#include <cuda_fp16.h>

// y = alpha x + y in half precision; two elements a thread, x by single loads where it lies between words.
__global__ void half_axpy(const __half* __restrict__ x, __half* __restrict__ y, float alpha, int n) {
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * 2;
    if (i + 1 < n) {
        bool whole = (unsigned long long)x % 4 == 0;
        float2 left = __half22float2(whole ? *reinterpret_cast<const __half2*>(x + i) : __halves2half2(x[i], x[i + 1]));
        float2 right = __half22float2(*reinterpret_cast<const __half2*>(y + i));
        *reinterpret_cast<__half2*>(y + i) = __floats2half2_rn(alpha * left.x + right.x, alpha * left.y + right.y);
    } else if (i < n) {
        y[i] = __float2half(alpha * __half2float(x[i]) + __half2float(y[i]));
    }
}
