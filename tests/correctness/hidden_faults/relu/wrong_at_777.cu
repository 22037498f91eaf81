// Writes one element too many of 777.
__global__ void relu(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n || (n == 777 && i == n)) {
        y[i] = i < n ? fmaxf(x[i], 0.0f) : 0.0f;
    }
}
