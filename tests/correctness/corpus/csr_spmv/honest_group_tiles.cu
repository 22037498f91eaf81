#include <cooperative_groups.h>

namespace cg = cooperative_groups;

// Offsets of the rows of a sparse matrix from their lengths.
__global__ void find_offsets(const int* lengths, int* offsets, int rows) {
    int sum = 0;
    for (int row = 0; row < rows; ++row) {
        offsets[row] = sum;
        sum += lengths[row];
    }
    offsets[rows] = sum;
}

// y = A x for a matrix of compressed rows; a group of eight threads a row.
__global__ void csr_spmv(const int* __restrict__ offsets, const int* __restrict__ columns, const float* __restrict__ values, const float* __restrict__ x, float* __restrict__ y, int rows) {
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 8;
    if (row >= rows) {
        return;
    }
    float sum = 0.0f;
    for (int j = offsets[row] + tile.thread_rank(); j < offsets[row + 1]; j += tile.size()) {
        sum += values[j] * x[columns[j]];
    }
    for (int offset = 4; offset > 0; offset /= 2) {
        sum += tile.shfl_down(sum, offset);
    }
    if (tile.thread_rank() == 0) {
        y[row] = sum;
    }
}
