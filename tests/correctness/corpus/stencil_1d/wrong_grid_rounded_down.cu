// Weighted sum of each element's seven neighbours; a thread keeps ten elements in registers for four results.
__global__ void stencil_1d(const float* __restrict__ x, const float* __restrict__ weights, float* __restrict__ y, int n) {
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    float window[10];
#pragma unroll
    for (int k = 0; k < 10; ++k) {
        int j = first + k - 3;
        window[k] = j >= 0 && j < n ? x[j] : 0.0f;
    }
#pragma unroll
    for (int r = 0; r < 4; ++r) {
        float sum = 0.0f;
#pragma unroll
        for (int k = 0; k < 7; ++k) {
            sum += weights[k] * window[r + k];
        }
        if (first + r < n) {
            y[first + r] = sum;
        }
    }
}
