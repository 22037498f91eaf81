// Packs x > 0 into bits and counts them; a block gathers eight words in shared memory and adds its count once.
constexpr int threads = 256;

__global__ void bit_pack(const float* __restrict__ x, unsigned* __restrict__ words, unsigned* __restrict__ total, int n) {
    __shared__ unsigned gathered[threads / 32];
    __shared__ unsigned count;
    int t = threadIdx.x;
    if (t < threads / 32) {
        gathered[t] = 0;
    }
    if (t == 0) {
        count = 0;
    }
    __syncthreads();
    int i = blockIdx.x * threads + t;
    if (i < n && x[i] > 0.0f) {
        atomicOr(&gathered[t / 32], 1u << (31 - t % 32));
    }
    __syncthreads();
    int word = blockIdx.x * (threads / 32) + t;
    if (t < threads / 32 && word * 32 < n) {
        words[word] = gathered[t];
        atomicAdd(&count, __popc(gathered[t]));
    }
    __syncthreads();
    if (t == 0) {
        atomicAdd(total, count);
    }
}
