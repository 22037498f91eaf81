// Replaces the elements whose mask is not 0 by one value; one thread an element.
__global__ void masked_fill(const float* x, const unsigned char* mask, float* y, float value, int rows, int cols) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    long long i = (long long)blockIdx.y * cols + col;
    if (col < cols) {
        y[i] = mask[i] ? value : x[i];
    }
}
