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

// From counts to first places; one block, each thread its share of the counts in a row.
__global__ void find_places(int* counts, int size) {
    __shared__ int sums[128];
    int t = threadIdx.x;
    int share = (size + 127) / 128;
    int begin = min(t * share, size);
    int end = min(begin + share, size);
    int sum = 0;
    for (int i = begin; i < end; ++i) {
        sum += counts[i];
    }
    sums[t] = sum;
    __syncthreads();
    for (int distance = 1; distance < 128; distance *= 2) {
        int other = t >= distance ? sums[t - distance] : 0;
        __syncthreads();
        sums[t] += other;
        __syncthreads();
    }
    int place = sums[t] - sum;
    for (int i = begin; i < end; ++i) {
        int own = counts[i];
        counts[i] = place;
        place += own;
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
