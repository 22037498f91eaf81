// Enlarges (or shrinks) each channel by interpolation; a block makes a line, the columns' sources and weights in shared memory.
__global__ void bilinear_upsample(const float* __restrict__ x, float* __restrict__ y, int height, int width, int out_height, int out_width) {
    __shared__ int source[64];
    __shared__ float weight[64];
    int c = blockIdx.x * 64 + threadIdx.x;
    if (threadIdx.y == 0) {
        float right = fmaxf((c + 0.5f) * ((float)width / out_width) - 0.5f, 0.0f);
        source[threadIdx.x] = min((int)right, width - 1);
        weight[threadIdx.x] = right - source[threadIdx.x];
    }
    __syncthreads();
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r >= out_height || c >= out_width) {
        return;
    }
    float down = fmaxf((r + 0.5f) * ((float)height / out_height) - 0.5f, 0.0f);
    int r0 = min((int)down, height - 1);
    int r1 = min(r0 + 1, height - 1);
    down -= r0;
    int c0 = source[threadIdx.x];
    int c1 = min(c0 + 1, width - 1);
    float right = weight[threadIdx.x];
    const float* from = x + (long long)blockIdx.z * height * width;
    float top = from[r0 * width + c0] * (1.0f - right) + from[r0 * width + c1] * right;
    float bottom = from[r1 * width + c0] * (1.0f - right) + from[r1 * width + c1] * right;
    y[((long long)blockIdx.z * out_height + r) * out_width + c] = top * (1.0f - down) + bottom * down;
}
