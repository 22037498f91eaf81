// softmax(Q K^T / sqrt(32)) V for every head; one thread a query, tiles of 16 keys in shared memory, softmax in one pass.
constexpr int dim = 32;
constexpr int tile = 16;

__global__ void tiled_attention(const float* __restrict__ q, const float* __restrict__ k, const float* __restrict__ v, float* __restrict__ y, int length) {
    __shared__ float keys[tile][dim];
    __shared__ float values[tile][dim];
    int query = blockIdx.x * blockDim.x + threadIdx.x;
    long long head = (long long)blockIdx.y * length * dim;
    float mine[dim];
    float result[dim];
#pragma unroll
    for (int d = 0; d < dim; ++d) {
        mine[d] = query < length ? q[head + query * dim + d] * 0.17677669f : 0.0f;
        result[d] = 0.0f;
    }
    float largest = __int_as_float(0xff800000);
    float sum = 0.0f;
    for (int first = 0; first < length; first += tile) {
        int count = min(tile, length - first);
        for (int i = threadIdx.x; i < count * dim; i += blockDim.x) {
            keys[i / dim][i % dim] = k[head + first * dim + i];
            values[i / dim][i % dim] = v[head + first * dim + i];
        }
        __syncthreads();
        for (int key = 0; key < count; ++key) {
            float score = 0.0f;
#pragma unroll
            for (int d = 0; d < dim; ++d) {
                score += mine[d] * keys[key][d];
            }
            float larger = fmaxf(largest, score);
            float shrink = expf(largest - larger);
            float weight = expf(score - larger);
            sum = sum * shrink + weight;
#pragma unroll
            for (int d = 0; d < dim; ++d) {
                result[d] = result[d] * shrink + weight * values[key][d];
            }
            largest = larger;
        }
        __syncthreads();
    }
    if (query < length) {
#pragma unroll
        for (int d = 0; d < dim; ++d) {
            y[head + query * dim + d] = result[d] / sum;
        }
    }
}
