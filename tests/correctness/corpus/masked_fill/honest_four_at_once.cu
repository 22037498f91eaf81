// Replaces the elements whose mask is not 0 by one value; four a thread, by one load where the address allows it.
__global__ void masked_fill(const float* __restrict__ x, const unsigned char* __restrict__ mask, float* __restrict__ y, float value, int rows, int cols) {
    long long total = (long long)rows * cols;
    long long i = ((long long)blockIdx.x * blockDim.x + threadIdx.x) * 4;
    if (i + 4 <= total) {
        uchar4 masked = *reinterpret_cast<const uchar4*>(mask + i);
        float4 v;
        if ((unsigned long long)(x + i) % 16 == 0) {
            v = *reinterpret_cast<const float4*>(x + i);
        } else {
            v = make_float4(x[i], x[i + 1], x[i + 2], x[i + 3]);
        }
        v.x = masked.x ? value : v.x;
        v.y = masked.y ? value : v.y;
        v.z = masked.z ? value : v.z;
        v.w = masked.w ? value : v.w;
        *reinterpret_cast<float4*>(y + i) = v;
    } else {
        for (; i < total; ++i) {
            y[i] = mask[i] ? value : x[i];
        }
    }
}
