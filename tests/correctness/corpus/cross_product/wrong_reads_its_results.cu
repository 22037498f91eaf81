// Cross products of n pairs of vectors; the results replace the first ones. One thread a pair.
__global__ void cross_product(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        for (int k = 0; k < 3; ++k) {
            int next = (k + 1) % 3;
            int last = (k + 2) % 3;
            c[3 * i + k] = a[3 * i + next] * b[3 * i + last] - a[3 * i + last] * b[3 * i + next];
        }
    }
}
