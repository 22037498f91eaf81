// Batch normalisation with known statistics; four elements of a plane at once where planes consist of whole groups of four.
__device__ float normalised(float v, float centre, float scale, float factor, float shift) {
    return (v - centre) * scale * factor + shift;
}

__global__ void batch_norm(const float* __restrict__ x, const float* __restrict__ mean, const float* __restrict__ variance, const float* __restrict__ gamma, const float* __restrict__ beta, float* __restrict__ y, int batch, int channels, int area) {
    long long total = (long long)batch * channels * area;
    long long first = ((long long)blockIdx.x * blockDim.x + threadIdx.x) * 4;
    if (area % 4 == 0 && first < total) {
        int channel = first / area % channels;
        float centre = mean[channel];
        float scale = 1.0f / (sqrtf(variance[channel]) + 1e-5f);
        float factor = gamma[channel];
        float shift = beta[channel];
        float4 v = *reinterpret_cast<const float4*>(x + first);
        v.x = normalised(v.x, centre, scale, factor, shift);
        v.y = normalised(v.y, centre, scale, factor, shift);
        v.z = normalised(v.z, centre, scale, factor, shift);
        v.w = normalised(v.w, centre, scale, factor, shift);
        *reinterpret_cast<float4*>(y + first) = v;
        return;
    }
    for (long long i = first; i < first + 4 && i < total; ++i) {
        int channel = i / area % channels;
        y[i] = normalised(x[i], mean[channel], rsqrtf(variance[channel] + 1e-5f), gamma[channel], beta[channel]);
    }
}
