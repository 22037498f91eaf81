#include "gpu/compiler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace optiml::gpu {
namespace {

// ./test installs NVRTC where there is none, so its absence is a failure here and not a skip.
Compiler& compiler() {
    static const auto loaded = load_compiler();
    if (!loaded) ADD_FAILURE() << loaded.error().text();
    return **loaded;
}

TEST(Compiler, GivesPtxCubinAndFigures) {
    CompileRequest request{.source = "extern \"C\" __global__ void scale(float* x) {\n"
                                     "  __shared__ float s[64];\n"
                                     "  s[threadIdx.x] = x[threadIdx.x]; __syncthreads();\n"
                                     "  x[threadIdx.x] = 2 * s[63 - threadIdx.x];\n}\n"};
    request.name_expressions = {"scale"};
    const CompileOutcome outcome = compiler().compile(request);
    ASSERT_TRUE(outcome.compiled) << outcome.log;
    EXPECT_NE(outcome.ptx.find(".entry scale"), std::string::npos);
    EXPECT_NE(outcome.ptx.find(".loc"), std::string::npos);
    EXPECT_FALSE(outcome.cubin.empty());
    ASSERT_EQ(outcome.kernels.size(), 1u);
    EXPECT_EQ(outcome.kernels[0].lowered_name, "scale");
    EXPECT_GT(outcome.kernels[0].registers, 0u);
    EXPECT_EQ(outcome.kernels[0].static_shared, 256u);
}

TEST(Compiler, InstantiatesTheNamedTemplate) {
    CompileRequest request{.source = "template <class T, int N> __global__ void fill(T* x) { x[0] = N; }"};
    request.name_expressions = {"fill<float, 4>"};
    const CompileOutcome outcome = compiler().compile(request);
    ASSERT_TRUE(outcome.compiled) << outcome.log;
    ASSERT_EQ(outcome.kernels.size(), 1u);
    EXPECT_NE(outcome.ptx.find(outcome.kernels[0].lowered_name), std::string::npos);
}

TEST(Compiler, ReportsTheUsersLine) {
    CompileRequest request{.source = "__global__ void k(float* x) {\n  x[0] = undefined_name;\n}\n", .file_name = "mine.cu"};
    const CompileOutcome outcome = compiler().compile(request);
    EXPECT_FALSE(outcome.compiled);
    ASSERT_FALSE(outcome.messages.empty());
    EXPECT_TRUE(outcome.messages[0].is_error);
    EXPECT_EQ(outcome.messages[0].line, 2u);
}

// Old programs: what they use that is gone is named with its replacement, whichever of the compilers complains.
TEST(Compiler, NamesWhatCudaNoLongerHasAndItsReplacement) {
    struct Case {
        const char* head;
        const char* statement;
        const char* option;
        std::uint32_t line;
        const char* gone;
        const char* replacement;
    };
    const Case cases[] = {
        {"texture<float, 2, cudaReadModeElementType> image;", "x[0] = tex2D(image, 0.5f, 0.5f);", nullptr, 1, "texture references",
         "cudaTextureObject_t"},
        {"surface<void, 2> image;", "surf2Dwrite(x[0], image, 0, 0);", nullptr, 1, "surface references", "cudaSurfaceObject_t"},
        {"", "x[0] = __shfl(x[1], 3);", nullptr, 3, "__shfl without a mask", "__shfl_sync"},
        {"", "x[0] += __shfl_down(x[0], 16);", nullptr, 3, "__shfl_down without a mask", "__shfl_down_sync"},
        {"", "x[0] = __ballot(x[1] > 0);", nullptr, 3, "__ballot without a mask", "__ballot_sync"},
        {"", "cudaThreadSynchronize();", nullptr, 3, "cudaThreadSynchronize", "cudaDeviceSynchronize"},
        {"", "cudaThreadExit();", nullptr, 3, "cudaThreadExit", "cudaDeviceReset"},
        {"", "cudaDeviceProp card; x[0] = card.clockRate;", nullptr, 3, "cudaDeviceProp::clockRate", "cudaDeviceGetAttribute"},
        {"", "x[0] = 1;", "-arch=sm_60", 0, "sm_60", "leave -arch out"},
    };
    for (const Case& expected : cases) {
        CompileRequest request{.source = std::string(expected.head) + "\nextern \"C\" __global__ void k(float* x) {\n  " +
                                         expected.statement + "\n}\n"};
        if (expected.option != nullptr) request.options.emplace_back(expected.option);
        const CompileOutcome outcome = compiler().compile(request);
        EXPECT_FALSE(outcome.compiled) << expected.gone;
        ASSERT_FALSE(outcome.messages.empty()) << expected.gone;
        EXPECT_TRUE(outcome.messages[0].is_error);
        EXPECT_EQ(outcome.messages[0].line, expected.line) << outcome.messages[0].text;
        EXPECT_THAT(outcome.messages[0].text, testing::HasSubstr(std::string("CUDA no longer has ")));
        EXPECT_THAT(outcome.messages[0].text, testing::HasSubstr(expected.gone));
        EXPECT_THAT(outcome.messages[0].text, testing::HasSubstr(expected.replacement));
    }
}

TEST(Compiler, PreludeDoesNotMoveLines) {
    CompileRequest request{.source = "extern \"C\" __global__ void k(float* x) {\n  x[0] = ANSWER;\n  x[1] = wrong;\n}\n"};
    request.prelude = "#define ANSWER 42\n\n\n";
    const CompileOutcome outcome = compiler().compile(request);
    EXPECT_FALSE(outcome.compiled);
    ASSERT_EQ(outcome.messages.size(), 1u) << outcome.log;
    EXPECT_EQ(outcome.messages[0].line, 3u);
}

TEST(Compiler, WithoutCubinGivesPtxOnly) {
    CompileRequest request{.source = "extern \"C\" __global__ void k(float* x) { x[0] = 1; }", .want_cubin = false};
    request.name_expressions = {"k"};
    const CompileOutcome outcome = compiler().compile(request);
    ASSERT_TRUE(outcome.compiled) << outcome.log;
    EXPECT_TRUE(outcome.cubin.empty());
    EXPECT_FALSE(outcome.ptx.empty());
}

TEST(Compiler, FindsCudaHeaders) {
    CompileRequest request{.source = "#include <cuda_fp16.h>\nextern \"C\" __global__ void k(__half* x) { x[0] = __hadd(x[0], x[1]); }"};
    const CompileOutcome outcome = compiler().compile(request);
    EXPECT_TRUE(outcome.compiled) << outcome.log;
}

}  // namespace
}  // namespace optiml::gpu
