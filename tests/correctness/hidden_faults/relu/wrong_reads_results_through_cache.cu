// Neighbours exchange their results twice; they read them through the read-only cache, which need not see what the launch has written.
__global__ void relu(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = fmaxf(x[i], 0.0f);
    }
    __syncthreads();
    int other = i ^ 1;
    if (other < n && i < n) {
        float value = __ldg(y + other);
        __syncthreads();
        y[other] = value;
    }
}
