// Counts how often each class occurs; lanes of one class find each other and add once.
__global__ void class_counts(const int* __restrict__ ids, unsigned* __restrict__ counts, int n, int classes) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    int id = i < n ? ids[i] : -1;
    unsigned peers = __match_any_sync(0xffffffff, id);
    if (i < n && (peers & 1) == 0 && lane == __ffs(peers) - 1) {
        atomicAdd(&counts[id], __popc(peers));
    }
}
