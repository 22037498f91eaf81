// y = gelu(x + bias) with the error function, the bias one value a column; one thread an element.
__global__ void bias_gelu(const float* x, const float* bias, float* y, int rows, int cols) {
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < (long long)rows * cols) {
        float v = x[i] + bias[i / cols];
        y[i] = 0.5f * v * (1.0f + erff(v * 0.70710678f));
    }
}
