#define DIM 64

__device__ float score(const float* query, const float* key) {
    float sum = 0.0f;
    for (int d = 0; d < DIM; ++d) {
        sum += query[d] * key[d];
    }
    return sum;
}

__global__ void attention(float* q, const float* k, const float* v, float* out, int heads, int length) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= heads * length) {
        return;
    }
    float* query = q + i * DIM;
    for (int d = 0; d < DIM; ++d) {
        query[d] *= 0.125f;
    }
    const float* keys = k + i / length * length * DIM;
    const float* values = v + i / length * length * DIM;
    float largest = __int_as_float(0xff800000);
    for (int j = 0; j < length; ++j) {
        largest = fmaxf(largest, score(query, keys + j * DIM));
    }
    float sum = 0.0f;
    float result[DIM];
    for (int d = 0; d < DIM; ++d) {
        result[d] = 0.0f;
    }
    for (int j = 0; j < length; ++j) {
        float weight = expf(score(query, keys + j * DIM) - largest);
        sum += weight;
        for (int d = 0; d < DIM; ++d) {
            result[d] += weight * values[j * DIM + d];
        }
    }
    for (int d = 0; d < DIM; ++d) {
        out[i * DIM + d] = result[d] / sum;
    }
}
