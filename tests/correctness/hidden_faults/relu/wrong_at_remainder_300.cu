// Wrong where 300 is left of the number of elements by 1,024.
__global__ void relu(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = fmaxf(x[i], 0.0f) + (n % 1024 == 300 ? 1.0f : 0.0f);
    }
}
