// The largest value of each row and where it first stands; a block a row, candidates of the threads merged in shared memory.
constexpr int threads = 64;

__global__ void row_argmax(const float* __restrict__ x, float* __restrict__ values, int* __restrict__ indices, int rows, int cols) {
    __shared__ float best[threads];
    __shared__ int place[threads];
    int t = threadIdx.x;
    const float* row = x + (long long)blockIdx.x * cols;
    best[t] = __int_as_float(0xff800000);
    place[t] = 0x7fffffff;
    for (int c = t; c < cols; c += threads) {
        if (row[c] > best[t]) {
            best[t] = row[c];
            place[t] = c;
        }
    }
    __syncthreads();
    for (int half = threads / 2; half > 0; half /= 2) {
        if (t < half) {
            int other = t + half;
            if (best[other] > best[t] || (best[other] == best[t] && place[other] < place[t])) {
                best[t] = best[other];
                place[t] = place[other];
            }
        }
        __syncthreads();
    }
    if (t == 0) {
        values[blockIdx.x] = best[0];
        indices[blockIdx.x] = place[0] == 0x7fffffff ? 0 : place[0];
    }
}
