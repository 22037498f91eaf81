// One pass of a radix sort: orders keys by four bits, equal ones in their order. First counts by digit and block.
__global__ void count_digits(const unsigned* keys, int* counts, int n, int shift) {
    __shared__ int local[16];
    if (threadIdx.x < 16) {
        local[threadIdx.x] = 0;
    }
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int key = keys[i];
        atomicAdd(&local[key >> shift], 1);
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

__global__ void move_keys(const unsigned* keys, const int* counts, unsigned* sorted, int n, int shift) {
    __shared__ int digits[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int digit = i < n ? keys[i] >> shift & 15 : 16;
    digits[threadIdx.x] = digit;
    __syncthreads();
    if (i < n) {
        int place = counts[digit * gridDim.x + blockIdx.x];
        for (int t = 0; t < threadIdx.x; ++t) {
            if (digits[t] == digit) {
                ++place;
            }
        }
        sorted[place] = keys[i];
    }
}
