// Four elements a thread, a block's width apart.
__global__ void sigmoid(const float* __restrict__ x, float* __restrict__ y, int n) {
    unsigned int first = blockIdx.x * blockDim.x * 4 + threadIdx.x;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
        unsigned int i = first + j * blockDim.x;
        if (i < n) {
            y[i] = 1.0f / (1.0f + expf(-x[i]));
        }
    }
}
