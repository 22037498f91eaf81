// Mean of (x - y)^2 over all elements; every thread adds its share.
__global__ void mse(const float* x, const float* y, float* mean, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float difference = x[i] - y[i];
        atomicAdd(mean, difference * difference / n);
    }
}
