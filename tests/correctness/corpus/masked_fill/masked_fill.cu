// Replaces the elements whose mask is not 0 by one value; one thread an element.
__global__ void masked_fill(const float* x, const unsigned char* mask, float* y, float value, int rows, int cols) {
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < (long long)rows * cols) {
        y[i] = mask[i] ? value : x[i];
    }
}
