// Cross products of n pairs of vectors; four pairs a thread by loads of sixteen bytes, the rest one by one.
__device__ void cross(const float* a, const float* b, float* c) {
    float x = a[1] * b[2] - a[2] * b[1];
    float y = a[2] * b[0] - a[0] * b[2];
    float z = a[0] * b[1] - a[1] * b[0];
    c[0] = x;
    c[1] = y;
    c[2] = z;
}

__global__ void cross_product(const float* a, const float* b, float* c, int n) {
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    if (i + 4 <= n) {
        float left[12], right[12];
#pragma unroll
        for (int k = 0; k < 3; ++k) {
            *reinterpret_cast<float4*>(left + 4 * k) = *reinterpret_cast<const float4*>(a + 3 * i + 4 * k);
            *reinterpret_cast<float4*>(right + 4 * k) = *reinterpret_cast<const float4*>(b + 3 * i + 4 * k);
        }
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            cross(left + 3 * k, right + 3 * k, left + 3 * k);
        }
#pragma unroll
        for (int k = 0; k < 3; ++k) {
            *reinterpret_cast<float4*>(c + 3 * i + 4 * k) = *reinterpret_cast<float4*>(left + 4 * k);
        }
        return;
    }
}
