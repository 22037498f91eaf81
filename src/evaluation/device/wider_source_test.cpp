#include "evaluation/device/wider_source.h"

#include <gtest/gtest.h>

#include "gpu/compiler.h"

namespace optiml::evaluation::device {
namespace {

// The PTX of the source with doubles for floats; empty where there is no compiler.
std::string wider_ptx(const std::string& source) {
    const auto compiler = gpu::load_compiler();
    if (!compiler) return "";
    gpu::CompileRequest request{.source = wider_source(source).value_or("")};
    request.want_cubin = false;
    const gpu::CompileOutcome outcome = (*compiler)->compile(request);
    EXPECT_TRUE(outcome.compiled) << outcome.log;
    return outcome.ptx;
}

TEST(WiderSource, SumsAreInDoubles) {
    const std::string ptx = wider_ptx(
        "#include <cuda_fp16.h>\nextern \"C\" __global__ void mse(const float* x, const float* y, float* mean, int n) {\n"
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) { float d = x[i] - y[i]; atomicAdd(mean, d * d / n); }\n}\n");
    if (ptx.empty()) GTEST_SKIP() << "no NVRTC";
    EXPECT_NE(ptx.find("add.f64"), std::string::npos);
    EXPECT_EQ(ptx.find("add.f32"), std::string::npos);
}

TEST(WiderSource, FunctionsIntrinsicsAndVectorsToo) {
    const std::string ptx = wider_ptx(
        "extern \"C\" __global__ void f(const float4* x, float4* y) {\n    float4 v = __ldg(x + threadIdx.x);\n"
        "    y[threadIdx.x] = make_float4(expf(v.x), __expf(v.y), fmaxf(v.z, 0.0f), __fdividef(v.w, sqrtf(v.x)));\n}\n");
    if (ptx.empty()) GTEST_SKIP() << "no NVRTC";
    EXPECT_EQ(ptx.find("ld.global.v4.f32"), std::string::npos);
    EXPECT_NE(ptx.find("div.rn.f64"), std::string::npos);
}

TEST(WiderSource, NoneWhereBitsAreLookedAt) {
    EXPECT_FALSE(wider_source("__global__ void f(float* x) { x[0] = __int_as_float(__float_as_int(x[0]) & 1); }"));
    EXPECT_FALSE(wider_source("union bits { float f; int i; };"));
    EXPECT_TRUE(wider_source("__global__ void f(float* x) { x[0] = 1; }"));
}

}  // namespace
}  // namespace optiml::evaluation::device
