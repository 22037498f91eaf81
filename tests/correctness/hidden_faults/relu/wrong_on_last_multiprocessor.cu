// Wrong on one multiprocessor, far behind in the array.
__global__ void relu(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned multiprocessor;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
    if (i < n) {
        y[i] = multiprocessor == 131 && i > 30000000 ? 5.0f : fmaxf(x[i], 0.0f);
    }
}
