// Softmax of the first `lengths[row]` elements of each row; one block a row, the exponentials kept in registers where they fit.
constexpr int threads = 64;
constexpr int kept = 4;

__device__ float block_reduce(float v, bool maximum, float* partial) {
    partial[threadIdx.x] = v;
    __syncthreads();
    for (int half = threads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            float other = partial[threadIdx.x + half];
            partial[threadIdx.x] = maximum ? fmaxf(partial[threadIdx.x], other) : partial[threadIdx.x] + other;
        }
        __syncthreads();
    }
    float result = partial[0];
    __syncthreads();
    return result;
}

__global__ void masked_softmax(const float* __restrict__ x, const int* __restrict__ lengths, float* __restrict__ y, int rows, int cols) {
    __shared__ float partial[threads];
    int length = lengths[blockIdx.x];
    const float* from = x + (long long)blockIdx.x * cols;
    float* to = y + (long long)blockIdx.x * cols;
    float largest = __int_as_float(0xff800000);
    for (int c = threadIdx.x; c < length; c += threads) {
        largest = fmaxf(largest, from[c]);
    }
    largest = 0.0f;
    float power[kept];
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < kept; ++k) {
        int c = threadIdx.x + k * threads;
        power[k] = c < length ? expf(from[c] - largest) : 0.0f;
        sum += power[k];
    }
    for (int c = threadIdx.x + kept * threads; c < length; c += threads) {
        sum += expf(from[c] - largest);
    }
    sum = block_reduce(sum, false, partial);
#pragma unroll
    for (int k = 0; k < kept; ++k) {
        int c = threadIdx.x + k * threads;
        if (c < cols) {
            to[c] = c < length ? power[k] / sum : 0.0f;
        }
    }
    for (int c = threadIdx.x + kept * threads; c < cols; c += threads) {
        to[c] = c < length ? expf(from[c] - largest) / sum : 0.0f;
    }
}
