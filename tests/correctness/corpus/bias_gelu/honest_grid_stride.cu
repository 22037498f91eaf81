// y = gelu(x + bias) with the error function; a fixed grid strides over the rows, the threads of a block over the columns.
__global__ void bias_gelu(const float* __restrict__ x, const float* __restrict__ bias, float* __restrict__ y, int rows, int cols) {
    for (int row = blockIdx.x; row < rows; row += gridDim.x) {
        const float* from = x + (long long)row * cols;
        float* to = y + (long long)row * cols;
        for (int c = threadIdx.x; c < cols; c += blockDim.x) {
            float v = from[c] + bias[c];
            to[c] = 0.5f * v * (1.0f + erff(v * 0.70710678f));
        }
    }
}
