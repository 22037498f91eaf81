// Divergence, waiting lanes, calls.

// Nested loops whose bounds depend on the lane, with break and continue.
extern "C" __global__ void nested(const int* bound, int* out, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n) return;
    int sum = 0;
    for (int i = 0; i < bound[t]; ++i) {
        if (i % 5 == 3) continue;
        for (int j = 0; j <= i; ++j) {
            if ((i * j + t) % 7 == 6) break;
            sum += i ^ j;
            if (sum > 10000) goto done;
        }
        sum += t;
    }
done:
    out[t] = sum;
}

// Each thread of a warp takes the same lock in turn; the winner leaves the loop while the others still try.
extern "C" __global__ void spin_lock(int* lock, volatile int* counter) {
    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence();
    *counter = *counter + 1;
    __threadfence();
    atomicExch(lock, 0);
}

// The same with the critical section inside the loop.
extern "C" __global__ void spin_lock_inside(int* lock, volatile int* counter) {
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            *counter = *counter + 1;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}

// Lanes hand a token from the last to the first.
extern "C" __global__ void token(volatile int* turn, int* order) {
    int lane = threadIdx.x;
    while (*turn != lane) {}
    order[blockDim.x - 1 - lane] = lane;
    *turn = lane - 1;
}

// Blocks wait for their predecessor: the last block starts first where the schedule says so.
extern "C" __global__ void chained_scan(const int* x, int* y, volatile int* sums, volatile int* flags, int n) {
    __shared__ int before;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int value = i < n ? x[i] : 0;
    __shared__ int s[256];
    s[threadIdx.x] = value;
    __syncthreads();
    for (int d = 1; d < blockDim.x; d *= 2) {
        int add = threadIdx.x >= d ? s[threadIdx.x - d] : 0;
        __syncthreads();
        s[threadIdx.x] += add;
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        int sum = 0;
        if (blockIdx.x > 0) {
            while (flags[blockIdx.x - 1] == 0) {}
            __threadfence();
            sum = sums[blockIdx.x - 1];
        }
        before = sum;
        sums[blockIdx.x] = sum + s[blockDim.x - 1];
        __threadfence();
        flags[blockIdx.x] = 1;
    }
    __syncthreads();
    if (i < n) y[i] = before + s[threadIdx.x];
}

// A barrier of the whole grid between writing and reading.
extern "C" __global__ void grid_barrier(int* arrived, const int* x, int* y, int* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int n = gridDim.x * blockDim.x;
    y[i] = 2 * x[i];
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(arrived, 1);
        while (atomicAdd(arrived, 0) < (int)gridDim.x) __nanosleep(20);
        __threadfence();
    }
    __syncthreads();
    z[i] = y[n - 1 - i];
}

__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

extern "C" __global__ void recursion(int* out) { out[threadIdx.x] = fibonacci(threadIdx.x % 10); }

typedef int (*Operation)(int, int);
__device__ __noinline__ int plus(int a, int b) { return a + b; }
__device__ __noinline__ int times(int a, int b) { return a * b; }
__device__ Operation operations[2] = {plus, times};

extern "C" __global__ void indirect(const int* which, int* out) {
    Operation operation = operations[which[threadIdx.x]];
    out[threadIdx.x] = operation(threadIdx.x, 7);
}

struct Pair {
    int values[3];
    int count;
};
__device__ __noinline__ Pair push(Pair pair, int value) {
    pair.values[pair.count % 3] += value;
    ++pair.count;
    return pair;
}

extern "C" __global__ void structs(Pair start, int* out) {
    Pair pair = start;
    for (unsigned i = 0; i < threadIdx.x % 5; ++i) pair = push(pair, 10 + i);
    out[threadIdx.x] = pair.values[0] + 100 * pair.values[1] + 10000 * pair.values[2] + 1000000 * pair.count;
}

// A local array that a function sorts through a generic pointer.
__device__ __noinline__ void sort(int* values, int count) {
    for (int i = 1; i < count; ++i)
        for (int j = i; j > 0 && values[j - 1] > values[j]; --j) {
            int swap = values[j];
            values[j] = values[j - 1];
            values[j - 1] = swap;
        }
}

extern "C" __global__ void local_array(int* data) {
    int values[8];
    for (int i = 0; i < 8; ++i) values[i] = data[threadIdx.x * 8 + i];
    sort(values, 8);
    for (int i = 0; i < 8; ++i) data[threadIdx.x * 8 + i] = values[i];
}

extern "C" __global__ void selected(const int* kind, int* out) {
    int t = threadIdx.x;
    switch (kind[t]) {
        case 0: out[t] = t; break;
        case 1: out[t] = t * t; break;
        case 2: out[t] = -t; break;
        case 3: out[t] = t ^ 21; break;
        case 4: out[t] = 1 << (t & 7); break;
        case 5: out[t] = t / 3; break;
        default: out[t] = 99;
    }
}

extern "C" __global__ void asserts(int limit) {
    if (threadIdx.x >= limit) __trap();
}
