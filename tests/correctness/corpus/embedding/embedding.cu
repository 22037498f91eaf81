// The table's row of each token plus a wave of the token's position; a negative token has the wave alone. One thread an element.
__global__ void embedding(const int* ids, const float* table, float* y, int tokens, int dim) {
    int d = blockIdx.x * blockDim.x + threadIdx.x;
    int token = blockIdx.y;
    if (d >= dim) {
        return;
    }
    int id = ids[token];
    float v = sinf(token * 3.0f / (1.0f + d));
    if (id >= 0) {
        v += table[(long long)id * dim + d];
    }
    y[(long long)token * dim + d] = v;
}
