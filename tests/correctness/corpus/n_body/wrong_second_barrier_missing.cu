// Accelerations that n bodies cause to each other; a block goes through the bodies in tiles of 64 in shared memory.
constexpr int threads = 64;

__device__ void pull(float4 from, float4 to, float3& sum) {
    float dx = from.x - to.x;
    float dy = from.y - to.y;
    float dz = from.z - to.z;
    float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-4f);
    float weight = from.w * inverse * inverse * inverse;
    sum.x += dx * weight;
    sum.y += dy * weight;
    sum.z += dz * weight;
}

__global__ void n_body(const float4* __restrict__ bodies, float* __restrict__ force, int n) {
    __shared__ float4 tile[threads];
    int i = blockIdx.x * threads + threadIdx.x;
    float4 own = i < n ? bodies[i] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    float3 sum = make_float3(0.0f, 0.0f, 0.0f);
    for (int first = 0; first < n; first += threads) {
        if (first + threadIdx.x < n) {
            tile[threadIdx.x] = bodies[first + threadIdx.x];
        }
        __syncthreads();
        int count = min(threads, n - first);
        for (int j = 0; j < count; ++j) {
            pull(tile[j], own, sum);
        }
    }
    if (i < n) {
        force[3 * i] = sum.x;
        force[3 * i + 1] = sum.y;
        force[3 * i + 2] = sum.z;
    }
}
