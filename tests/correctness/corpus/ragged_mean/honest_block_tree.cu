// Mean of the first `lengths[row]` elements of each row, 0 of none; one block a row, the last steps of the tree within a warp.
constexpr int threads = 128;

__global__ void ragged_mean(const float* __restrict__ x, const int* __restrict__ lengths, float* __restrict__ y, int rows, int longest) {
    __shared__ float partial[threads];
    int t = threadIdx.x;
    int length = lengths[blockIdx.x];
    const float* from = x + (long long)blockIdx.x * longest;
    float sum = 0.0f;
    for (int c = t; c < length; c += threads) {
        sum += from[c];
    }
    partial[t] = sum;
    __syncthreads();
    for (int half = threads / 2; half >= 32; half /= 2) {
        if (t < half) {
            partial[t] += partial[t + half];
        }
        __syncthreads();
    }
    if (t < 32) {
        volatile float* mine = partial;
        for (int half = 16; half > 0; half /= 2) {
            float other = t < half ? mine[t + half] : 0.0f;
            __syncwarp();
            if (t < half) {
                mine[t] += other;
            }
            __syncwarp();
        }
    }
    if (t == 0) {
        y[blockIdx.x] = length > 0 ? partial[0] / length : 0.0f;
    }
}
