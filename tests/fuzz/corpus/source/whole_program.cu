#include <cstdio>
#include <vector>
#define LOOP(i, n) for (int i = 0; i < n; ++i)
namespace work {
constexpr int width = 4;
__constant__ float weights[16];
struct Pair { float a, b; };
__global__ void mix(Pair* p, float4* v, int n) {
    extern __shared__ float buffer[];
    LOOP(j, n) { buffer[j] = p[j].a; p->b = weights[j % 16]; }
    switch (n) {
        case 0: atomicAdd(&buffer[0], 1.0f); break;
        default: v[threadIdx.x] = make_float4(0, 1, 2, 3);
    }
    auto f = [&](int z) { return z + n; };
    asm volatile("mov.u32 %0, %1;" : "=r"(n) : "r"(f(3)));
    int k = n > width ? n : width, a[4] = {1, 2};
    while (k > 0) k >>= a[k & 3];
    goto end;
end:
    *reinterpret_cast<float4*>(&buffer[4 * k]) = v[0];
}
}
int main() {
    std::vector<float> host(100);
    work::Pair* d = nullptr;
    work::mix<<<dim3(1, 2), 256, 64 * sizeof(float)>>>(d, nullptr, 3);
    printf("%f\n", host[0]);
}
