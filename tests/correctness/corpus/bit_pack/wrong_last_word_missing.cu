// Packs x > 0 into bits, the first element lowest, and counts them; one thread a word.
__global__ void bit_pack(const float* x, unsigned* words, unsigned* total, int n) {
    int word = blockIdx.x * blockDim.x + threadIdx.x;
    if (word * 32 + 31 >= n) {
        return;
    }
    unsigned bits = 0;
    for (int k = 0; k < 32 && word * 32 + k < n; ++k) {
        if (x[word * 32 + k] > 0.0f) {
            bits |= 1u << k;
        }
    }
    words[word] = bits;
    atomicAdd(total, __popc(bits));
}
