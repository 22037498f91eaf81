// What kernels print.
#include <cstdio>

extern "C" __global__ void prints(const float* x, int n) {
    __shared__ char word[4];
    char own[3] = {static_cast<char>('a' + threadIdx.x), '!', 0};
    if (threadIdx.x == 0) {
        word[0] = 'w';
        word[1] = 'e';
        word[2] = 0;
    }
    __syncthreads();
    int count = printf("%d: %5.2f %s|%-4s|%c %lld %08x %%\n", threadIdx.x, x[threadIdx.x], own, word, 'z', 1LL << 40, n);
    if (threadIdx.x == 1) printf("%d arguments\n", count);
}

extern "C" __global__ void prints_much(int lines) {
    for (int i = 0; i < lines; ++i) printf("line %06d of the whole long text that no buffer holds\n", i);
}
