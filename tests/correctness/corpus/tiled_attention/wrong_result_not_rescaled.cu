// softmax(Q K^T / sqrt(32)) V for every head; one warp a query, lanes share out the keys, then the columns of the result.
constexpr int dim = 32;

__global__ void tiled_attention(const float* __restrict__ q, const float* __restrict__ k, const float* __restrict__ v, float* __restrict__ y, int length) {
    int query = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    int lane = threadIdx.x % 32;
    if (query >= length) {
        return;
    }
    const float nothing = __int_as_float(0xff800000);
    long long head = (long long)blockIdx.y * length * dim;
    float mine = q[head + query * dim + lane];
    float largest = nothing;
    float sum = 0.0f;
    float result = 0.0f;
    for (int first = 0; first < length; first += 32) {
        int key = first + lane;
        float score = 0.0f;
        for (int d = 0; d < dim; ++d) {
            float left = __shfl_sync(0xffffffff, mine, d);
            score += key < length ? left * k[head + key * dim + d] : 0.0f;
        }
        score = key < length ? score * 0.17677669f : nothing;
        float larger = score;
        for (int offset = 16; offset > 0; offset /= 2) {
            larger = fmaxf(larger, __shfl_xor_sync(0xffffffff, larger, offset));
        }
        larger = fmaxf(larger, largest);
        float shrink = expf(largest - larger);
        float weight = expf(score - larger);
        float weights = weight;
        for (int offset = 16; offset > 0; offset /= 2) {
            weights += __shfl_xor_sync(0xffffffff, weights, offset);
        }
        sum = sum * shrink + weights;
        for (int other = 0; other < min(32, length - first); ++other) {
            result += __shfl_sync(0xffffffff, weight, other) * v[head + (first + other) * dim + lane];
        }
        largest = larger;
    }
    y[head + query * dim + lane] = result / sum;
}
