#include <cuda_fp16.h>

// y = alpha x + y in half precision; a fixed grid strides over groups of eight elements, y by accesses of sixteen bytes.
__global__ void half_axpy(const __half* __restrict__ x, __half* __restrict__ y, float alpha, int n) {
    int stride = gridDim.x * blockDim.x;
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    for (int group = thread; group < n / 8; group += stride) {
        uint4 words = reinterpret_cast<const uint4*>(y)[group];
        __half* elements = reinterpret_cast<__half*>(&words);
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            elements[k] = __float2half(fmaf(alpha, __half2float(x[group * 8 + k]), __half2float(elements[k])));
        }
        reinterpret_cast<uint4*>(y)[group] = words;
    }
    int last = n / 8 * 8 + thread;
    if (last < n) {
        y[last] = __float2half(fmaf(alpha, __half2float(x[last]), __half2float(y[last])));
    }
}
