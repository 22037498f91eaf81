#include "cuda_source/prelude.h"

#include <gtest/gtest.h>

#include "cuda_source/testing.h"

namespace optiml::cuda_source {
namespace {

// What users write without an #include, or with one that needs no file.
const char* const statements[] = {
    "x[0] = INFINITY + NAN + FLT_MAX + M_PI + CUDART_PI_F;",
    "x[0] = sqrt(x[0]) + expf(x[1]) + __expf(x[1]) + exp(x[1]) + std::exp(x[1]) + __fdividef(1, x[2]) + rsqrtf(x[3]) + tanhf(x[4]) + "
    "erff(x[5]);",
    "x[0] = max(n, 3) + min(2u, 3u) + fmaxf(1, 2) + std::max(x[0], x[1]) + abs(-n) + fabsf(x[1]);",
    "int8_t a = 1; uint64_t b = a; size_t c = b; x[c] = INT_MAX + UINT32_MAX;",
    "float4 v = make_float4(1, 2, 3, 4); int2 w = make_int2(1, 2); x[w.x] = v.w; uchar4 u{}; double2 d{}; dim3 g(1, 2);",
    "atomicAdd(&x[0], 1.0f); atomicCAS((int*)x, 0, 1); atomicMax((unsigned*)x, 1u); atomicExch(x, 2.0f); atomicAdd_block((int*)x, "
    "1);",
    "x[0] = __shfl_sync(~0u, x[1], 0) + __shfl_down_sync(0xffffffff, x[1], 16, 32) + __ballot_sync(~0u, n) + __popc(n) + __ffs(n);",
    "__syncthreads(); __syncwarp(); __threadfence(); n = __syncthreads_count(n > 0);",
    "x[0] = __ldg(&x[1]) + __ldcs(x); __stcg(x, 1.0f); float4 v = __ldg((const float4*)x); x[1] = v.x;",
    "x[0] = __float_as_int(x[1]) + __int_as_float(n) + __float2int_rn(x[1]) + __fmaf_rn(1, 2, 3) + __fadd_rz(1, 2) + __umulhi(1, "
    "2);",
    "x[0] = __reduce_add_sync(~0u, n) + __match_any_sync(~0u, n) + __byte_perm(1, 2, 3) + __vadd4(1, 2) + __dp4a(1, 2, 3);",
    "float s, c; sincosf(x[0], &s, &c); x[0] = s * c + ldexpf(1, n) + fmodf(3, 2) + powf(2, 3) + fma(1.0, 2.0, 3.0) + isnan(x[0]);",
    "assert(n > 0); printf(\"%d\\n\", n); long long t = clock64(); x[0] = t + warpSize + gridDim.z;",
};

TEST(Prelude, IsItselfWithoutFault) {
    const SourceFile source = testing::parsed("");
    for (const Diagnostic& diagnostic : source.diagnostics) ADD_FAILURE() << diagnostic.where.line << ": " << diagnostic.message;
}

TEST(Prelude, DeclaresWhatUsersWrite) {
    for (const char* statement : statements) {
        testing::parsed(std::string("#include <cuda_runtime.h>\n#include <cmath>\n#include <math_constants.h>\n") +
                        "__global__ void f(float* x, int n) { " + statement + " }\n");
    }
}

TEST(Prelude, HeadersThatNeedNoFile) {
    EXPECT_TRUE(is_covered_header("cuda_runtime.h"));
    EXPECT_TRUE(is_covered_header("cstdint"));
    EXPECT_FALSE(is_covered_header("cuda_fp16.h"));
    EXPECT_FALSE(is_covered_header("helper.h"));
}

TEST(Prelude, TheOneForNvrtcIsPartOfTheOther) {
    EXPECT_NE(nvrtc_prelude().find("#define FLT_MAX"), std::string_view::npos);
    EXPECT_EQ(nvrtc_prelude().find("threadIdx"), std::string_view::npos);  // NVRTC has its own
    EXPECT_NE(clang_prelude().find("#define FLT_MAX"), std::string_view::npos);
    EXPECT_NE(clang_prelude().find("threadIdx"), std::string_view::npos);
}

}  // namespace
}  // namespace optiml::cuda_source
