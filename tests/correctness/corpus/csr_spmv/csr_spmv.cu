// Offsets of the rows of a sparse matrix from their lengths.
__global__ void find_offsets(const int* lengths, int* offsets, int rows) {
    int sum = 0;
    for (int row = 0; row < rows; ++row) {
        offsets[row] = sum;
        sum += lengths[row];
    }
    offsets[rows] = sum;
}

// y = A x for a matrix of compressed rows; one thread a row.
__global__ void csr_spmv(const int* offsets, const int* columns, const float* values, const float* x, float* y, int rows) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        float sum = 0.0f;
        for (int j = offsets[row]; j < offsets[row + 1]; ++j) {
            sum += values[j] * x[columns[j]];
        }
        y[row] = sum;
    }
}
