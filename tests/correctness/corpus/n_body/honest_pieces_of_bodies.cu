// Accelerations that n bodies cause to each other; each block adds the share of one piece of the bodies.
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
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    int piece = (n + gridDim.y - 1) / gridDim.y;
    int begin = blockIdx.y * piece;
    int end = min(begin + piece, n);
    float4 own = bodies[i];
    float3 sum = make_float3(0.0f, 0.0f, 0.0f);
    for (int j = begin; j < end; ++j) {
        pull(bodies[j], own, sum);
    }
    atomicAdd(&force[3 * i], sum.x);
    atomicAdd(&force[3 * i + 1], sum.y);
    atomicAdd(&force[3 * i + 2], sum.z);
}
