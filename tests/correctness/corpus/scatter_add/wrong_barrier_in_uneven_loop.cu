// Adds each item's row to the row of its target; a block collects all items of one target's element, without atomics.
constexpr int threads = 64;

__global__ void scatter_add(const float* __restrict__ x, const int* __restrict__ index, float* __restrict__ y, int items, int targets, int dim) {
    __shared__ float partial[threads];
    int target = blockIdx.x;
    int t = threadIdx.x;
    for (int d = 0; d < dim; ++d) {
        float sum = 0.0f;
        for (int item = t; item < items; item += threads) {
            if (index[item] == target) {
                sum += x[item * dim + d];
            }
            __syncthreads();
        }
        partial[t] = sum;
        __syncthreads();
        for (int half = threads / 2; half > 0; half /= 2) {
            if (t < half) {
                partial[t] += partial[t + half];
            }
            __syncthreads();
        }
        if (t == 0) {
            y[target * dim + d] += partial[0];
        }
        __syncthreads();
    }
}
