// Marks the places where the pattern begins in the text; a block stages its part of the text and the pattern.
constexpr int threads = 128;

__global__ void byte_search(const unsigned char* __restrict__ text, const unsigned char* __restrict__ pattern, unsigned char* __restrict__ found, int n, int length) {
    extern __shared__ unsigned char staged[];
    unsigned char* wanted = staged + threads + length;
    int first = blockIdx.x * threads;
    int count = min(threads + length - 1, n - first);
    for (int k = threadIdx.x; k < count; k += threads) {
        staged[k] = text[first + k];
    }
    for (int k = threadIdx.x; k < length; k += threads) {
        wanted[k] = pattern[k];
    }
    __syncthreads();
    int i = first + threadIdx.x;
    if (i < n) {
        bool same = i + length <= n;
        for (int k = 0; same && k < length; ++k) {
            same = staged[threadIdx.x + k] == wanted[k];
        }
        found[i] = same;
    }
}
