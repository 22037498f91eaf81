// One pass: maximum, sum and output are rescaled when the maximum moves; keys and values through shared memory.
#define DIM 64
#define KEYS 16

__global__ void attention(const float* __restrict__ q, const float* __restrict__ k, const float* __restrict__ v, float* __restrict__ out,
                          int heads, int length) {
    __shared__ float key_tile[KEYS][DIM];
    __shared__ float value_tile[KEYS][DIM];
    int head = blockIdx.y;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool inside = i < length;
    float query[DIM], result[DIM];
    for (int d = 0; d < DIM; ++d) {
        query[d] = inside ? q[(head * length + i) * DIM + d] : 0.0f;
        result[d] = 0.0f;
    }
    float largest = __int_as_float(0xff800000);
    float sum = 0.0f;
    for (int first = 0; first < length; first += KEYS) {
        __syncthreads();
        for (int e = threadIdx.x; e < KEYS * DIM; e += blockDim.x) {
            bool there = first + e / DIM < length;
            key_tile[e / DIM][e % DIM] = there ? k[(head * length + first) * DIM + e] : 0.0f;
            value_tile[e / DIM][e % DIM] = there ? v[(head * length + first) * DIM + e] : 0.0f;
        }
        __syncthreads();
        for (int j = 0; j < min(KEYS, length - first); ++j) {
            float score = 0.0f;
            for (int d = 0; d < DIM; ++d) {
                score += query[d] * key_tile[j][d];
            }
            score *= 0.125f;
            float both = fmaxf(largest, score);
            float old_scale = largest == both ? 1.0f : expf(largest - both);
            float weight = expf(score - both);
            sum = sum * old_scale + weight;
            for (int d = 0; d < DIM; ++d) {
                result[d] = result[d] * old_scale + weight * value_tile[j][d];
            }
            largest = both;
        }
    }
    if (inside) {
        for (int d = 0; d < DIM; ++d) {
            out[(head * length + i) * DIM + d] = result[d] / sum;
        }
    }
}
