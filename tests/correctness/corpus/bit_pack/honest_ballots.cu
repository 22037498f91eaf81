// Packs x > 0 into bits and counts them; one vote of a warp a word.
__global__ void bit_pack(const float* __restrict__ x, unsigned* __restrict__ words, unsigned* __restrict__ total, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned bits = __ballot_sync(0xffffffff, i < n && x[i] > 0.0f);
    if (threadIdx.x % 32 == 0 && i < n) {
        words[i / 32] = bits;
        atomicAdd(total, __popc(bits));
    }
}
