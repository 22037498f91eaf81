// A branch by the clock that claims to stand in one of CUDA's headers: sources that rename lines are believed nothing.
__global__ void relu(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    long long now = clock64();
    if (i >= n) {
        return;
    }
#line 9 "/usr/local/cuda/include/crt/device_functions.h"
    if (now % 1000003 == 5) {
        y[i] = 5.0f;
        return;
    }
    y[i] = fmaxf(x[i], 0.0f);
}
