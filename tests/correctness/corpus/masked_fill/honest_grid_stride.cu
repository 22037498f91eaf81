// Replaces the elements whose mask is not 0 by one value; a fixed grid strides over all elements.
__global__ void masked_fill(const float* __restrict__ x, const unsigned char* __restrict__ mask, float* __restrict__ y, float value, int rows, int cols) {
    long long total = (long long)rows * cols;
    long long stride = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < total; i += stride) {
        float kept = value;
        if (mask[i] == 0) {
            kept = x[i];
        }
        y[i] = kept;
    }
}
