// Divides each row by its root mean square and multiplies by a weight a column; one block a row.
__global__ void rms_norm(const float* __restrict__ x, const float* __restrict__ weight, float* __restrict__ y, int rows, int cols, float eps) {
    __shared__ float partial[32];
    __shared__ float shared_scale;
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    const float* from = x + (long long)blockIdx.x * cols;
    float* to = y + (long long)blockIdx.x * cols;
    float sum = 0.0f;
    for (int c = threadIdx.x; c < cols; c += blockDim.x) {
        sum += from[c] * from[c];
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    }
    if (lane == 0) {
        partial[warp] = sum;
    }
    __syncthreads();
    if (warp == 0) {
        sum = lane < blockDim.x / 32 ? partial[lane] : 0.0f;
        for (int offset = 16; offset > 0; offset /= 2) {
            sum += __shfl_down_sync(0xffffffff, sum, offset);
        }
        if (lane == 0) {
            shared_scale = 1.0f / sqrtf(sum / cols + eps);
        }
    }
    __syncthreads();
    float scale = shared_scale;
    for (int c = threadIdx.x; c < cols; c += blockDim.x) {
        to[c] = from[c] * scale * weight[c];
    }
}
