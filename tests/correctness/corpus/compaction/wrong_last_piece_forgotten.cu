// Moves the positive elements to the front, in their order, and counts them; one warp a piece of 32 elements, places by votes.
__global__ void count_kept(const float* __restrict__ x, int* __restrict__ kept, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool keep = i < n && x[i] > 0.0f;
    unsigned votes = __ballot_sync(0xffffffff, keep);
    if (threadIdx.x % 32 == 0 && i < n) {
        kept[i / 32] = __popc(votes);
    }
}

// From counts to first places; one warp walks over all pieces.
__global__ void add_up(int* kept, int* count, int pieces) {
    int lane = threadIdx.x;
    int before = 0;
    for (int first = 0; first < pieces; first += 32) {
        int own = first + lane < pieces ? kept[first + lane] : 0;
        int sum = own;
        for (int distance = 1; distance < 32; distance *= 2) {
            int other = __shfl_up_sync(0xffffffff, sum, distance);
            sum += lane >= distance ? other : 0;
        }
        if (first + lane < pieces) {
            kept[first + lane] = before + sum - own;
        }
        before += __shfl_sync(0xffffffff, sum, 31);
    }
    if (lane == 0) {
        *count = before;
    }
}

__global__ void move_kept(const float* __restrict__ x, const int* __restrict__ kept, float* __restrict__ y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? x[i] : 0.0f;
    unsigned votes = __ballot_sync(0xffffffff, v > 0.0f);
    if (v > 0.0f) {
        unsigned before = votes & ((1u << (threadIdx.x % 32)) - 1);
        y[kept[i / 32] + __popc(before)] = v;
    }
}
