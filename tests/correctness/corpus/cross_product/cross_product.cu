// Cross products of n pairs of vectors; the results replace the first ones. One thread a pair.
__global__ void cross_product(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float ax = a[3 * i], ay = a[3 * i + 1], az = a[3 * i + 2];
        float bx = b[3 * i], by = b[3 * i + 1], bz = b[3 * i + 2];
        c[3 * i] = ay * bz - az * by;
        c[3 * i + 1] = az * bx - ax * bz;
        c[3 * i + 2] = ax * by - ay * bx;
    }
}
