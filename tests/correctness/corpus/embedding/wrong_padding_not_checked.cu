// The table's row of each token plus a wave of the token's position; one block a token.
__global__ void embedding(const int* __restrict__ ids, const float* __restrict__ table, float* __restrict__ y, int tokens, int dim) {
    int token = blockIdx.x;
    int id = ids[token];
    const float* row = table + (long long)id * dim;
    float* to = y + (long long)token * dim;
    for (int d = threadIdx.x; d < dim; d += blockDim.x) {
        float wave = sinf(token * 3.0f / (1.0f + d));
        to[d] = wave + row[d];
    }
}
