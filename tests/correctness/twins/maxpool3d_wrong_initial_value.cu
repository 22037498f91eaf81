// One block a row of outputs, x on the threads.
__global__ void maxpool3d(const float* input, float* output, int planes, int depth, int height, int width) {
    int out_depth = (depth + 1) / 2;
    int out_height = (height + 1) / 2;
    int out_width = (width + 1) / 2;
    for (int row = blockIdx.x; row < planes * out_depth * out_height; row += gridDim.x) {
        int y = row % out_height;
        int z = row / out_height % out_depth;
        int plane = row / (out_height * out_depth);
        for (int x = threadIdx.x; x < out_width; x += blockDim.x) {
            float best = 0.0f;
            for (int in_z = max(2 * z - 1, 0); in_z <= min(2 * z + 1, depth - 1); ++in_z) {
                for (int in_y = max(2 * y - 1, 0); in_y <= min(2 * y + 1, height - 1); ++in_y) {
                    for (int in_x = max(2 * x - 1, 0); in_x <= min(2 * x + 1, width - 1); ++in_x) {
                        best = fmaxf(best, input[((plane * depth + in_z) * height + in_y) * width + in_x]);
                    }
                }
            }
            output[((plane * out_depth + z) * out_height + y) * out_width + x] = best;
        }
    }
}
