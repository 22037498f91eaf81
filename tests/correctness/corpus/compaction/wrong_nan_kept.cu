// Moves the positive elements to the front, in their order, and counts them; one block walks over all elements.
constexpr int threads = 256;

__global__ void move_kept(const float* __restrict__ x, float* __restrict__ y, int* __restrict__ count, int n) {
    __shared__ int warp_kept[threads / 32];
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    int start = 0;
    for (int first = 0; first < n; first += threads) {
        int i = first + threadIdx.x;
        float v = i < n ? x[i] : 0.0f;
        unsigned votes = __ballot_sync(0xffffffff, !(v <= 0.0f));
        if (lane == 0) {
            warp_kept[warp] = __popc(votes);
        }
        __syncthreads();
        int place = start;
        for (int w = 0; w < threads / 32; ++w) {
            place += w < warp ? warp_kept[w] : 0;
            start += warp_kept[w];
        }
        if (!(v <= 0.0f)) {
            y[place + __popc(votes & ((1u << lane) - 1))] = v;
        }
        __syncthreads();
    }
    for (int i = start + threadIdx.x; i < n; i += threads) {
        y[i] = 0.0f;
    }
    if (threadIdx.x == 0) {
        *count = start;
    }
}
