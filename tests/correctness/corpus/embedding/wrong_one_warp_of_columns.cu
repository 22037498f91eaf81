// The table's row of each token plus a wave of the token's position; one warp a token, lane 0 reads the token.
__global__ void embedding(const int* __restrict__ ids, const float* __restrict__ table, float* __restrict__ y, int tokens, int dim) {
    int token = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    int lane = threadIdx.x % 32;
    if (token >= tokens) {
        return;
    }
    int id = lane == 0 ? ids[token] : 0;
    id = __shfl_sync(0xffffffff, id, 0);
    for (int d = lane; d < min(dim, 64); d += 32) {
        float v = sinf(token * 3.0f / (1.0f + d));
        if (id >= 0) {
            v += table[(long long)id * dim + d];
        }
        y[(long long)token * dim + d] = v;
    }
}
