// Offsets of the rows of a sparse matrix from their lengths; one block walks over the rows with a scan of the warps.
constexpr int threads = 128;

__global__ void find_offsets(const int* __restrict__ lengths, int* __restrict__ offsets, int rows) {
    __shared__ int totals[threads / 32];
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    int carry = 0;
    for (int first = 0; first < rows; first += threads) {
        int row = first + threadIdx.x;
        int own = row < rows ? lengths[row] : 0;
        int sum = own;
        for (int distance = 1; distance < 32; distance *= 2) {
            int other = __shfl_up_sync(0xffffffff, sum, distance);
            sum += lane >= distance ? other : 0;
        }
        if (lane == 31) {
            totals[warp] = sum;
        }
        __syncthreads();
        int before = carry;
        for (int w = 0; w < threads / 32; ++w) {
            before += w < warp ? totals[w] : 0;
            carry += totals[w];
        }
        if (row < rows) {
            offsets[row] = before + sum - own;
        }
        __syncthreads();
        carry = totals[0] + totals[1] + totals[2] + totals[3];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        offsets[rows] = carry;
    }
}

// y = A x for a matrix of compressed rows; one warp a row.
__global__ void csr_spmv(const int* __restrict__ offsets, const int* __restrict__ columns, const float* __restrict__ values, const float* __restrict__ x, float* __restrict__ y, int rows) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    int lane = threadIdx.x % 32;
    if (row >= rows) {
        return;
    }
    int begin = offsets[row];
    int end = offsets[row + 1];
    float sum = 0.0f;
    for (int j = begin + lane; j < end; j += 32) {
        sum += values[j] * x[columns[j]];
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    }
    if (lane == 0) {
        y[row] = sum;
    }
}
