// Inclusive prefix sums, by one thread.
__global__ void scan(const int* x, int* y, int n) {
    if (blockIdx.x != 0 || threadIdx.x != 0) {
        return;
    }
    int sum = 0;
    for (int i = 0; i < n; ++i) {
        sum += x[i];
        y[i] = sum;
    }
}
