// Scans of blocks, a scan of their sums by one block, and the sums before each block added.
__device__ float scan_block(float v, float* total) {
    __shared__ float sums[32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int d = 1; d < 32; d *= 2) {
        float other = __shfl_up_sync(0xffffffffu, v, d);
        if (lane >= d) {
            v += other;
        }
    }
    if (lane == 31) {
        sums[warp] = v;
    }
    __syncthreads();
    if (warp == 0) {
        float s = lane < blockDim.x / 32 ? sums[lane] : 0.0f;
        for (int d = 1; d < 32; d *= 2) {
            float other = __shfl_up_sync(0xffffffffu, s, d);
            if (lane >= d) {
                s += other;
            }
        }
        sums[lane] = s;
    }
    __syncthreads();
    if (warp > 0) {
        v += sums[warp - 1];
    }
    *total = sums[blockDim.x / 32 - 1];
    __syncthreads();
    return v;
}

__global__ void prefix_sum(const float* __restrict__ x, float* __restrict__ y, float* __restrict__ totals, int n) {
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    float total;
    float v = scan_block(i < n ? x[i] : 0.0f, &total);
    if (i < n) {
        y[i] = v;
    }
    if (threadIdx.x == 0) {
        totals[blockIdx.x] = total;
    }
}

__global__ void scan_totals(float* totals, int count) {
    float before = 0.0f;
    for (int first = 0; first < count; first += blockDim.x) {
        int i = first + threadIdx.x;
        float total;
        float v = scan_block(i < count ? totals[i] : 0.0f, &total);
        if (i < count) {
            totals[i] = before + v;
        }
        before += total;
    }
}

__global__ void add_totals(float* __restrict__ y, const float* __restrict__ totals, int n) {
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && blockIdx.x > 0) {
        y[i] += totals[blockIdx.x - 1];
    }
}
