// Zero below -30, where the sigmoid is small but no zero.
__global__ void sigmoid(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = x[i] < -30.0f ? 0.0f : 1.0f / (1.0f + expf(-x[i]));
    }
}
