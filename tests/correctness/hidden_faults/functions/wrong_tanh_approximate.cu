// tanh.approx, which is good to 2^-11 only.
__global__ void map(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float value;
        asm("tanh.approx.f32 %0, %1;" : "=f"(value) : "f"(x[i]));
        y[i] = value;
    }
}
