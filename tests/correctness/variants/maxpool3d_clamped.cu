// Clamped loops instead of tests inside; the maxima of rows, planes and the window one after the other.
__global__ void maxpool3d(const float* __restrict__ input, float* __restrict__ output, int planes, int depth, int height, int width) {
    int out_depth = (depth + 1) / 2, out_height = (height + 1) / 2, out_width = (width + 1) / 2;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= planes * out_depth * out_height * out_width) {
        return;
    }
    int x = i % out_width, y = i / out_width % out_height, z = i / (out_width * out_height) % out_depth;
    const float* volume = input + i / (out_width * out_height * out_depth) * depth * height * width;
    float best = __int_as_float(0xff800000);
    for (int in_z = max(2 * z - 1, 0); in_z <= min(2 * z + 1, depth - 1); ++in_z) {
        for (int in_y = max(2 * y - 1, 0); in_y <= min(2 * y + 1, height - 1); ++in_y) {
            const float* row = volume + (in_z * height + in_y) * width;
            float in_row = row[2 * x];
            if (2 * x > 0) {
                in_row = fmaxf(in_row, row[2 * x - 1]);
            }
            if (2 * x + 1 < width) {
                in_row = fmaxf(in_row, row[2 * x + 1]);
            }
            best = fmaxf(best, in_row);
        }
    }
    output[i] = best;
}
