// Marks the places where the pattern begins in the text; one thread a place.
__global__ void byte_search(const unsigned char* text, const unsigned char* pattern, unsigned char* found, int n, int length) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + length > n) {
        return;
    }
    bool same = i + length <= n;
    for (int k = 0; same && k < length; ++k) {
        same = text[i + k] == pattern[k];
    }
    found[i] = same;
}
