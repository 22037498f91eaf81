// Moves the positive elements to the front, in their order, and counts them; zeros follow. One thread a piece of 32 elements.
__global__ void count_kept(const float* x, int* kept, int n) {
    int piece = blockIdx.x * blockDim.x + threadIdx.x;
    if (piece * 32 >= n) {
        return;
    }
    int count = 0;
    for (int i = piece * 32; i < min(piece * 32 + 32, n); ++i) {
        if (x[i] > 0.0f) {
            ++count;
        }
    }
    kept[piece] = count;
}

// From counts to first places.
__global__ void add_up(int* kept, int* count, int pieces) {
    int sum = 0;
    for (int piece = 0; piece < pieces; ++piece) {
        int own = kept[piece];
        kept[piece] = sum;
        sum += own;
    }
    *count = sum;
}

__global__ void move_kept(const float* x, const int* kept, float* y, int n) {
    int piece = blockIdx.x * blockDim.x + threadIdx.x;
    if (piece * 32 >= n) {
        return;
    }
    int place = kept[piece];
    for (int i = piece * 32; i < min(piece * 32 + 32, n); ++i) {
        if (x[i] > 0.0f) {
            y[place++] = x[i];
        }
    }
}
