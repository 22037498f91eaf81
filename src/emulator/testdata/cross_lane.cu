// Shuffles, votes, matches and reductions of a warp.

extern "C" __global__ void shuffles(const int* x, int* out) {
    int lane = threadIdx.x;
    int v = x[lane];
    out[lane] = __shfl_sync(0xffffffff, v, lane * 7);
    out[32 + lane] = __shfl_up_sync(0xffffffff, v, 3);
    out[64 + lane] = __shfl_down_sync(0xffffffff, v, 5);
    out[96 + lane] = __shfl_xor_sync(0xffffffff, v, 9);
    out[128 + lane] = __shfl_sync(0xffffffff, v, 2, 8);
    out[160 + lane] = __shfl_up_sync(0xffffffff, v, 1, 4);
    out[192 + lane] = __shfl_down_sync(0xffffffff, v, 2, 16);
    out[224 + lane] = __shfl_xor_sync(0xffffffff, v, 4, 8);
}

extern "C" __global__ void votes(const int* x, unsigned* out) {
    int lane = threadIdx.x;
    int v = x[lane];
    out[lane] = __ballot_sync(0xffffffff, v > 10);
    out[32 + lane] = __all_sync(0xffffffff, v > -1000) + 2 * __all_sync(0xffffffff, v > 10) + 4 * __any_sync(0xffffffff, v > 10) +
                     8 * __any_sync(0xffffffff, v > 1000);
    out[64 + lane] = __match_any_sync(0xffffffff, v % 5);
    int same;
    out[96 + lane] = __match_all_sync(0xffffffff, v / 1000, &same);
    out[128 + lane] = same;
    out[160 + lane] = __reduce_add_sync(0xffffffff, v);
    out[192 + lane] = __reduce_max_sync(0xffffffff, v);
    out[224 + lane] = __reduce_min_sync(0xffffffff, (unsigned)v);
    out[256 + lane] = __reduce_xor_sync(0xffffffff, (unsigned)v);
    out[288 + lane] = lane % 3 == 0 ? __activemask() : 0;
}

// Sums within tiles of eight lanes, each with a mask of its own.
extern "C" __global__ void tile_sums(const int* x, int* out) {
    int lane = threadIdx.x;
    unsigned mask = 0xffu << (lane & ~7);
    int v = x[lane];
    for (int d = 4; d > 0; d /= 2) v += __shfl_xor_sync(mask, v, d);
    out[lane] = v;
}

// Half of the warp at a time, each with the mask of its half.
extern "C" __global__ void halves(const int* x, int* out) {
    int lane = threadIdx.x;
    int v = x[lane];
    if (lane < 16)
        v = __shfl_xor_sync(0x0000ffff, v, 1);
    else
        v = __shfl_xor_sync(0xffff0000, v, 2);
    __syncwarp();
    out[lane] = v;
}

extern "C" __global__ void warp_sum(const float* x, float* sums, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? x[i] : 0.0f;
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
    if (threadIdx.x % 32 == 0) sums[i / 32] = v;
}

// The mask names lanes that have returned.
extern "C" __global__ void exited_lanes(const int* x, int* out, int n) {
    int lane = threadIdx.x;
    if (lane >= n) return;
    out[lane] = __shfl_xor_sync(0xffffffff, x[lane], 1);
}

// The mask names lanes that do not come here.
extern "C" __global__ void missing_lanes(const int* x, int* out) {
    int lane = threadIdx.x;
    int v = x[lane];
    if (lane < 16) v = __shfl_xor_sync(0xffffffff, v, 1);
    out[lane] = v;
}

// Lanes 16 to 31 are not in the mask they give.
extern "C" __global__ void outside_mask(const int* x, int* out) {
    int lane = threadIdx.x;
    out[lane] = __ballot_sync(0x0000ffff, x[lane] > 0);
}
