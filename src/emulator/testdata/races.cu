// Kernels with one race each, beside honest counterparts. The tests name lines of this file.

extern "C" __global__ void missing_barrier(const float* x, float* y) {
    __shared__ float s[128];
    s[threadIdx.x] = x[threadIdx.x];
    y[threadIdx.x] = s[127 - threadIdx.x];
}

extern "C" __global__ void with_barrier(const float* x, float* y) {
    __shared__ float s[128];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = s[127 - threadIdx.x];
}

// The barrier before the tile is loaded again is missing.
extern "C" __global__ void tile_reused(const float* x, float* y, int tiles) {
    __shared__ float tile[64];
    float sum = 0.0f;
    for (int k = 0; k < tiles; ++k) {
        tile[threadIdx.x] = x[k * 64 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 64; ++i) sum += tile[i];
    }
    y[threadIdx.x] = sum;
}

extern "C" __global__ void tile_kept(const float* x, float* y, int tiles) {
    __shared__ float tile[64];
    float sum = 0.0f;
    for (int k = 0; k < tiles; ++k) {
        tile[threadIdx.x] = x[k * 64 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 64; ++i) sum += tile[i];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

// The last steps of a reduction in one warp, without __syncwarp.
extern "C" __global__ void warp_tail(const float* x, float* y) {
    __shared__ volatile float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    if (t < 32) {
        s[t] += s[t + 32];
        s[t] += s[t + 16];
        s[t] += s[t + 8];
    }
    if (t == 0) y[0] = s[0];
}

extern "C" __global__ void warp_tail_synchronized(const float* x, float* y) {
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    if (t < 32) {
        float v = s[t] + s[t + 32];
        for (int d = 16; d > 0; d /= 2) {
            s[t] = v;
            __syncwarp();
            if (t < d) v += s[t + d];
            __syncwarp();
        }
        if (t == 0) y[0] = v;
    }
}

// Each block reads what its neighbour writes.
extern "C" __global__ void between_blocks(float* x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int n = gridDim.x * blockDim.x;
    float right = x[i + 1 < n ? i + 1 : 0];
    __syncthreads();
    x[i] = right;
}

// The same inside one block: an in-place shift in global memory.
extern "C" __global__ void in_place_shift(float* x) {
    float right = x[threadIdx.x + 1];
    x[threadIdx.x] = right;
}

extern "C" __global__ void in_place_shift_ordered(float* x) {
    float right = x[threadIdx.x + 1];
    __syncthreads();
    x[threadIdx.x] = right;
}

// All threads write the same place: the same value, or their own.
extern "C" __global__ void same_value(int* flag, const int* x) {
    if (x[threadIdx.x] > 3) *flag = 1;
}

extern "C" __global__ void own_value(int* last, const int* x) {
    if (x[threadIdx.x] > 3) *last = threadIdx.x;
}

// A sum with and without atomics.
extern "C" __global__ void plain_sum(int* sum, const int* x) { *sum += x[threadIdx.x]; }

extern "C" __global__ void atomic_sum(int* sum, const int* x) { atomicAdd(sum, x[threadIdx.x]); }

// A histogram in shared memory that is read out without a barrier after the atomics.
extern "C" __global__ void histogram_read_early(const int* x, int* bins) {
    __shared__ int local[64];
    local[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&local[x[threadIdx.x] & 63], 1);
    atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

// Bytes of one word belong to different threads.
extern "C" __global__ void bytes(unsigned char* out, const unsigned char* in) {
    __shared__ unsigned char s[256];
    s[threadIdx.x] = in[threadIdx.x];
    s[threadIdx.x] += 1;
    __syncthreads();
    out[255 - threadIdx.x] = s[threadIdx.x ^ 1];
}

// The last block to finish sums what all blocks wrote; fenced: each block publishes its part before it takes a ticket.
template <bool fenced>
__device__ void last_block(const float* x, float* partial, unsigned* ticket, float* sum) {
    __shared__ bool is_last;
    __shared__ float s[64];
    s[threadIdx.x] = x[blockIdx.x * 64 + threadIdx.x];
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
        if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = s[0];
        if (fenced) __threadfence();
        is_last = atomicInc(ticket, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last && threadIdx.x == 0) {
        float total = 0.0f;
        for (int b = 0; b < gridDim.x; ++b) total += partial[b];
        *sum = total;
    }
}

extern "C" __global__ void last_block_sums(const float* x, float* partial, unsigned* ticket, float* sum) {
    last_block<true>(x, partial, ticket, sum);
}

extern "C" __global__ void last_block_unfenced(const float* x, float* partial, unsigned* ticket, float* sum) {
    last_block<false>(x, partial, ticket, sum);
}

// A lock in shared memory, with and without the fence that makes the guarded data visible.
extern "C" __global__ void shared_lock(int* out, int fences) {
    __shared__ int lock;
    __shared__ int guarded;
    if (threadIdx.x == 0) lock = guarded = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        while (atomicCAS(&lock, 0, 1) != 0) {}
        __threadfence_block();
        guarded += threadIdx.x;
        __threadfence_block();
        atomicExch(&lock, 0);
    }
    __syncthreads();
    if (threadIdx.x == 0) *out = guarded;
}

extern "C" __global__ void shared_lock_unfenced(int* out) {
    __shared__ int lock;
    __shared__ int guarded;
    if (threadIdx.x == 0) lock = guarded = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        while (atomicCAS(&lock, 0, 1) != 0) {}
        guarded += threadIdx.x;
        atomicExch(&lock, 0);
    }
    __syncthreads();
    if (threadIdx.x == 0) *out = guarded;
}

// Named barriers: warps 0 and 1 exchange through one, warps 2 and 3 through another.
extern "C" __global__ void named_barriers(const int* x, int* y) {
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = x[t];
    if (t < 64)
        asm volatile("bar.sync 1, 64;" ::: "memory");
    else
        asm volatile("bar.sync 2, 64;" ::: "memory");
    y[t] = s[t ^ 32];
}

extern "C" __global__ void wrong_named_barriers(const int* x, int* y) {
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = x[t];
    if (t < 64)
        asm volatile("bar.sync 1, 64;" ::: "memory");
    else
        asm volatile("bar.sync 2, 64;" ::: "memory");
    y[t] = s[t ^ 64];
}

// The read-only cache never sees what its launch writes, barrier or not.
extern "C" __global__ void reads_own_block_through_cache(float* x, float* y) {
    int t = threadIdx.x;
    x[t] = 1.0f;
    __syncthreads();
    y[t] = __ldg(x + (t ^ 1));
}

extern "C" __global__ void writes_what_was_read_through_cache(float* x, float* y) {
    int t = threadIdx.x;
    y[t] = __ldg(x + (t ^ 1));
    __syncthreads();
    x[t] = 1.0f;
}

extern "C" __global__ void reads_input_through_cache(float* x, float* y) {
    int t = threadIdx.x;
    y[t] = __ldg(x + (t ^ 1));
}

// An atomic of block scope orders nothing with other blocks.
extern "C" __global__ void block_scope_sum(int* sum, const int* x) { atomicAdd_block(sum, x[threadIdx.x]); }

// One block adds with block scope, the other with the device's: whichever comes first, they do not see each other.
extern "C" __global__ void block_scope_first(int* sum, const int* x) {
    if (blockIdx.x == 0)
        atomicAdd_block(sum, x[0]);
    else
        atomicAdd(sum, x[0]);
}

extern "C" __global__ void block_scope_second(int* sum, const int* x) {
    if (blockIdx.x == 1)
        atomicAdd_block(sum, x[0]);
    else
        atomicAdd(sum, x[0]);
}

// A flag from one block to the other: cuda::atomic_ref<int, thread_scope_block>, and of the device's scope.
__device__ void store_in_block(int* flag) { asm volatile("st.relaxed.cta.global.s32 [%0], 7;" ::"l"(flag) : "memory"); }

__device__ void store_on_device(int* flag) { asm volatile("st.relaxed.gpu.global.s32 [%0], 7;" ::"l"(flag) : "memory"); }

__device__ int load_in_block(const int* flag) {
    int value;
    asm volatile("ld.relaxed.cta.global.s32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
    return value;
}

__device__ int load_on_device(const int* flag) {
    int value;
    asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
    return value;
}

extern "C" __global__ void flag_of_block_scope(int* flag, int* seen) {
    if (blockIdx.x == 0)
        store_in_block(flag);
    else
        *seen = load_in_block(flag);
}

extern "C" __global__ void flag_stored_in_block(int* flag, int* seen) {
    if (blockIdx.x == 0)
        store_in_block(flag);
    else
        *seen = load_on_device(flag);
}

extern "C" __global__ void flag_loaded_in_block(int* flag, int* seen) {
    if (blockIdx.x == 0)
        store_on_device(flag);
    else
        *seen = load_in_block(flag);
}

extern "C" __global__ void flag_of_device_scope(int* flag, int* seen) {
    if (blockIdx.x == 0)
        store_on_device(flag);
    else
        *seen = load_on_device(flag);
}

// Within one block, block scope is enough.
extern "C" __global__ void flag_within_block(int* flag, int* seen) {
    if (threadIdx.x == 0)
        store_in_block(flag);
    else if (threadIdx.x == 32)
        *seen = load_in_block(flag);
}
