// Barriers, right and wrong. The tests name lines of this file.

extern "C" __global__ void some_lanes(int* y) {
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    if (threadIdx.x < 16) __syncthreads();
    y[threadIdx.x] = s[threadIdx.x];
}

extern "C" __global__ void both_branches(int* y) {
    if (threadIdx.x % 2 == 0) {
        y[threadIdx.x] = 1;
        __syncthreads();
        y[threadIdx.x] += 1;
    } else {
        y[threadIdx.x] = 2;
        __syncthreads();
        y[threadIdx.x] += 3;
    }
}

// Whole warps never come.
extern "C" __global__ void some_warps(int* y) {
    if (threadIdx.x < 32) asm volatile("bar.sync 0, 64;" ::: "memory");
    y[threadIdx.x] = threadIdx.x;
}

// The number of rounds differs between the lanes.
extern "C" __global__ void rounds(int* y) {
    for (int i = threadIdx.x; i < 100; i += 64) {
        y[i] = i;
        __syncthreads();
    }
}

// Threads that have returned are not waited for.
extern "C" __global__ void early_return(int* y, int n) {
    __shared__ int s[128];
    if (threadIdx.x >= n) return;
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    y[threadIdx.x] = s[n - 1 - threadIdx.x];
}

extern "C" __global__ void reductions(const int* x, int* y) {
    int v = x[threadIdx.x];
    int any = __syncthreads_or(v > 90);
    int all = __syncthreads_and(v >= 0);
    int count = __syncthreads_count(v > 50);
    y[threadIdx.x] = (any != 0) + 10 * (all != 0) + 100 * count;
}

// Producers arrive and go on, consumers wait.
extern "C" __global__ void producer_consumer(int* y) {
    __shared__ int s[64];
    if (threadIdx.x < 64) {
        s[threadIdx.x] = 5 * threadIdx.x;
        asm volatile("bar.arrive 1, 128;" ::: "memory");
    } else {
        asm volatile("bar.sync 1, 128;" ::: "memory");
        y[threadIdx.x - 64] = s[127 - threadIdx.x];
    }
}

extern "C" __global__ void spin(volatile int* flag) {
    while (*flag == 0) {}
}
