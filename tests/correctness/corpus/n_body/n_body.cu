// Accelerations that n bodies (x, y, z, mass) cause to each other; one thread a body.
__global__ void n_body(const float* bodies, float* force, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    float x = 0.0f, y = 0.0f, z = 0.0f;
    for (int j = 0; j < n; ++j) {
        float dx = bodies[4 * j] - bodies[4 * i];
        float dy = bodies[4 * j + 1] - bodies[4 * i + 1];
        float dz = bodies[4 * j + 2] - bodies[4 * i + 2];
        float inverse = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + 1e-4f);
        float weight = bodies[4 * j + 3] * inverse * inverse * inverse;
        x += dx * weight;
        y += dy * weight;
        z += dz * weight;
    }
    force[3 * i] = x;
    force[3 * i + 1] = y;
    force[3 * i + 2] = z;
}
