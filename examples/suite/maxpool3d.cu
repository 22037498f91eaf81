// 3-D max pooling, window 3, stride 2, padding 1 (-inf outside): N C D H W; one thread an output.
__global__ void maxpool3d(const float* input, float* output, int planes, int depth, int height, int width) {
    int out_depth = (depth + 1) / 2;
    int out_height = (height + 1) / 2;
    int out_width = (width + 1) / 2;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= planes * out_depth * out_height * out_width) {
        return;
    }
    int x = i % out_width;
    int y = i / out_width % out_height;
    int z = i / (out_width * out_height) % out_depth;
    int plane = i / (out_width * out_height * out_depth);
    float best = __int_as_float(0xff800000);
    for (int dz = -1; dz <= 1; ++dz) {
        for (int dy = -1; dy <= 1; ++dy) {
            for (int dx = -1; dx <= 1; ++dx) {
                int in_z = 2 * z + dz;
                int in_y = 2 * y + dy;
                int in_x = 2 * x + dx;
                if (in_z >= 0 && in_z < depth && in_y >= 0 && in_y < height && in_x >= 0 && in_x < width) {
                    best = fmaxf(best, input[((plane * depth + in_z) * height + in_y) * width + in_x]);
                }
            }
        }
    }
    output[i] = best;
}
