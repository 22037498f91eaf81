// softmax(Q K^T / sqrt(32)) V for every head; one thread a query, in three passes over the keys.
constexpr int dim = 32;

__device__ float score(const float* query, const float* key) {
    float sum = 0.0f;
    for (int d = 0; d < dim; ++d) {
        sum += query[d] * key[d];
    }
    return sum * 0.17677669f;
}

__global__ void tiled_attention(const float* q, const float* k, const float* v, float* y, int length) {
    int query = blockIdx.x * blockDim.x + threadIdx.x;
    if (query >= length) {
        return;
    }
    long long head = (long long)blockIdx.y * length * dim;
    float mine[dim];
    for (int d = 0; d < dim; ++d) {
        mine[d] = q[head + query * dim + d];
    }
    float largest = __int_as_float(0xff800000);
    for (int key = 0; key < length; ++key) {
        largest = fmaxf(largest, score(mine, k + head + key * dim));
    }
    float sum = 0.0f;
    float result[dim] = {};
    for (int key = 0; key < length; ++key) {
        float weight = expf(score(mine, k + head + key * dim) - largest);
        sum += weight;
        for (int d = 0; d < dim; ++d) {
            result[d] += weight * v[head + key * dim + d];
        }
    }
    for (int d = 0; d < dim; ++d) {
        y[head + query * dim + d] = result[d] / sum;
    }
}
