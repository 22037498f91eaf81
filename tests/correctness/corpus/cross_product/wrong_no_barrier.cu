// Cross products of n pairs of vectors; a block stages its vectors in shared memory, so that neighbours read neighbouring words.
constexpr int threads = 128;

__global__ void cross_product(const float* a, const float* b, float* c, int n) {
    __shared__ float left[3 * threads];
    __shared__ float right[3 * threads];
    int first = blockIdx.x * threads * 3;
    int count = min(3 * threads, 3 * n - first);
    for (int k = threadIdx.x; k < count; k += threads) {
        left[k] = a[first + k];
        right[k] = b[first + k];
    }
    int t = 3 * threadIdx.x;
    if (t < count) {
        float ax = left[t], ay = left[t + 1], az = left[t + 2];
        float bx = right[t], by = right[t + 1], bz = right[t + 2];
        left[t] = ay * bz - az * by;
        left[t + 1] = az * bx - ax * bz;
        left[t + 2] = ax * by - ay * bx;
    }
    __syncthreads();
    for (int k = threadIdx.x; k < count; k += threads) {
        c[first + k] = left[k];
    }
}
