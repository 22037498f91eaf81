// The square of a matrix, launched `steps` times for the power 2^steps; one thread an element.
__global__ void matrix_power(const double* from, double* to, int n) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r < n && c < n) {
        double sum = 0.0;
        for (int k = 0; k < n; ++k) {
            sum += from[r * n + k] * from[k * n + c];
        }
        to[r * n + c] = sum;
    }
}
