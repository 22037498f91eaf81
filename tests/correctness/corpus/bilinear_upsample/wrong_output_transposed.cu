// Enlarges (or shrinks) each channel by interpolation; a thread finds weights once and walks through the channels.
__global__ void bilinear_upsample(const float* __restrict__ x, float* __restrict__ y, int height, int width, int out_height, int out_width, int channels) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= out_height * out_width) {
        return;
    }
    int r = i % out_height;
    int c = i / out_height;
    float down = fmaxf((r + 0.5f) * ((float)height / out_height) - 0.5f, 0.0f);
    float right = fmaxf((c + 0.5f) * ((float)width / out_width) - 0.5f, 0.0f);
    int r0 = min((int)down, height - 1);
    int c0 = min((int)right, width - 1);
    int r1 = min(r0 + 1, height - 1);
    int c1 = min(c0 + 1, width - 1);
    down -= r0;
    right -= c0;
    for (int channel = 0; channel < channels; ++channel) {
        const float* top = x + ((long long)channel * height + r0) * width;
        const float* bottom = x + ((long long)channel * height + r1) * width;
        float above = top[c0] * (1.0f - right) + top[c1] * right;
        float below = bottom[c0] * (1.0f - right) + bottom[c1] * right;
        y[(long long)channel * out_height * out_width + i] = above * (1.0f - down) + below * down;
    }
}
