// The exponential by that of base two.
__global__ void sigmoid(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = 1.0f / (1.0f + exp2f(-1.4426950408889634f * x[i]));
    }
}
