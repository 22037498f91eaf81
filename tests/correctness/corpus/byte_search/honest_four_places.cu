// Marks the places where the pattern begins in the text; a thread tries four places and writes them as one word.
__global__ void byte_search(const unsigned char* __restrict__ text, const unsigned char* __restrict__ pattern, unsigned char* __restrict__ found, int n, int length) {
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    unsigned marks = 0;
    for (int place = 0; place < 4 && first + place < n; ++place) {
        const unsigned char* from = text + first + place;
        bool same = first + place <= n - length;
        for (int k = 0; same && k < length; ++k) {
            same = from[k] == pattern[k];
        }
        marks |= (same ? 1u : 0u) << 8 * place;
    }
    if (n - first >= 4) {
        *reinterpret_cast<unsigned*>(found + first) = marks;
    } else {
        for (int place = 0; first + place < n; ++place) {
            found[first + place] = marks >> 8 * place;
        }
    }
}
