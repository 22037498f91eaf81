// One pass of a radix sort: orders keys by four bits, equal ones in their order. First counts by digit and block.
__global__ void count_digits(const unsigned* keys, int* counts, int n, int shift) {
    __shared__ int local[16];
    if (threadIdx.x < 16) {
        local[threadIdx.x] = 0;
    }
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(&local[keys[i] >> shift & 15], 1);
    }
    __syncthreads();
    if (threadIdx.x < 16) {
        counts[threadIdx.x * gridDim.x + blockIdx.x] = local[threadIdx.x];
    }
}

// From counts to first places.
__global__ void find_places(int* counts, int size) {
    int sum = 0;
    for (int i = 0; i < size; ++i) {
        int own = counts[i];
        counts[i] = sum;
        sum += own;
    }
}

// Lanes of equal digits find each other; the counts of the warps before come from shared memory.
__global__ void move_keys(const unsigned* __restrict__ keys, const int* __restrict__ counts, unsigned* __restrict__ sorted, int n, int shift) {
    __shared__ int of_warp[4][16];
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    if (threadIdx.x < 64) {
        of_warp[threadIdx.x / 16][threadIdx.x % 16] = 0;
    }
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    unsigned key = keys[i];
    int digit = key >> shift & 15;
    unsigned peers = __match_any_sync(0xffffffff, digit);
    int rank = __popc(peers & ((1u << lane) - 1));
    if (i < n && rank == 0) {
        of_warp[warp][digit] = __popc(peers);
    }
    __syncthreads();
    if (i < n) {
        int place = counts[digit * gridDim.x + blockIdx.x] + rank;
        for (int w = 0; w < warp; ++w) {
            place += of_warp[w][digit];
        }
        sorted[place] = key;
    }
}
