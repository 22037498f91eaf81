// y = gelu(x + bias) with the error function; four columns a thread where rows consist of whole groups of four.
__device__ float gelu(float v) {
    return 0.5f * v * (1.0f + erff(v * 0.70710678f));
}

__global__ void bias_gelu(const float* __restrict__ x, const float* __restrict__ bias, float* __restrict__ y, int rows, int cols) {
    long long total = (long long)rows * cols;
    long long first = ((long long)blockIdx.x * blockDim.x + threadIdx.x) * 4;
    if (first >= total) {
        return;
    }
    if (total % 4 == 0) {
        float4 v = *reinterpret_cast<const float4*>(x + first);
        float4 shift = *reinterpret_cast<const float4*>(bias + first % cols);
        v = make_float4(gelu(v.x + shift.x), gelu(v.y + shift.y), gelu(v.z + shift.z), gelu(v.w + shift.w));
        *reinterpret_cast<float4*>(y + first) = v;
    } else {
        for (long long i = first; i < first + 4 && i < total; ++i) {
            y[i] = gelu(x[i] + bias[i % cols]);
        }
    }
}
