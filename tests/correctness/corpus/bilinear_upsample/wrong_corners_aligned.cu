// Enlarges (or shrinks) each channel by interpolating between the four nearest elements; centres of elements are aligned.
__global__ void bilinear_upsample(const float* x, float* y, int height, int width, int out_height, int out_width) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r >= out_height || c >= out_width) {
        return;
    }
    const float* from = x + (long long)blockIdx.z * height * width;
    float down = fmaxf(r * ((float)(height - 1) / (out_height - 1)), 0.0f);
    float right = fmaxf((c + 0.5f) * ((float)width / out_width) - 0.5f, 0.0f);
    int r0 = min((int)down, height - 1);
    int c0 = min((int)right, width - 1);
    int r1 = min(r0 + 1, height - 1);
    int c1 = min(c0 + 1, width - 1);
    down -= r0;
    right -= c0;
    float top = from[r0 * width + c0] * (1.0f - right) + from[r0 * width + c1] * right;
    float bottom = from[r1 * width + c0] * (1.0f - right) + from[r1 * width + c1] * right;
    y[((long long)blockIdx.z * out_height + r) * out_width + c] = top * (1.0f - down) + bottom * down;
}
