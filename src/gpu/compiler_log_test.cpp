#include "gpu/compiler_log.h"

#include <gtest/gtest.h>

namespace optiml::gpu {
namespace {

TEST(CompilerMessages, HaveTheUsersLineAndColumn) {
    const auto messages = compiler_messages(
        "kernel.cu(3): error: identifier \"foo\" is undefined\n"
        "      foo = 1;\n"
        "      ^\n"
        "\n"
        "kernel.cu(9): warning #177-D: variable \"a\" was declared but never referenced\n"
        "1 error detected in the compilation of \"kernel.cu\".\n");
    ASSERT_EQ(messages.size(), 2u);
    EXPECT_TRUE(messages[0].is_error);
    EXPECT_EQ(messages[0].line, 3u);
    EXPECT_EQ(messages[0].column, 5u);
    EXPECT_EQ(messages[0].text, "identifier \"foo\" is undefined");
    EXPECT_FALSE(messages[1].is_error);
    EXPECT_EQ(messages[1].line, 9u);
}

TEST(CompilerMessages, WithoutAPlaceAreKept) {
    const auto messages = compiler_messages("nvrtc: error: invalid value for --gpu-architecture (-arch)\n");
    ASSERT_EQ(messages.size(), 1u);
    EXPECT_TRUE(messages[0].is_error);
    EXPECT_EQ(messages[0].line, 0u);
}

TEST(CompilerMessages, SayInPlainWordsThatSharedMemoryIsShort) {
    for (const char* name : {"_Z4copyPKfPfi", "_ZN12_GLOBAL__N_14copyEPKf", "copy"}) {
        const auto messages = compiler_messages("ptxas info    : Used 10 registers, 80000 bytes smem\n ptxas error   : Entry function '" + std::string(name) +
                                                "' uses too much shared data (0x13880 bytes, 0xc000 max)\n");
        ASSERT_EQ(messages.size(), 1u);
        EXPECT_TRUE(messages[0].is_error);
        EXPECT_TRUE(messages[0].text.starts_with("the kernel 'copy' declares 80000 bytes of __shared__ memory; at most 49152 ")) << messages[0].text;
    }
}

TEST(LineOfSharedArray, IsTheKernelsOwn) {
    const std::string source = "// copy\n__device__ void f() { __shared__ int a; }\n__global__ void copy(int* x)\n{\n  __shared__ int b[9];\n}\n";
    EXPECT_EQ(line_of_shared_array(source, "copy"), 5u);
    EXPECT_EQ(line_of_shared_array("\nvoid k() {}", "k"), 2u);
    EXPECT_EQ(line_of_shared_array(source, "absent"), 0u);
    EXPECT_EQ(line_of_shared_array("void rescale() {}\nvoid scale() {}", "space::scale<(int)3>"), 2u);
}

TEST(CompilerMessages, AreFoundBesideLinesOfAnyLength) {
    const auto messages = compiler_messages(std::string(20'000'000, 'x') + "\nkernel.cu(3): error: no\n");
    ASSERT_EQ(messages.size(), 1u);
    EXPECT_EQ(messages[0].line, 3u);
}

TEST(PtxasFigures, AreReadForEachKernel) {
    const auto figures = ptxas_figures(
        "ptxas info    : Compiling entry function 'k' for 'sm_90'\n"
        "ptxas info    : Function properties for k\n"
        "ptxas         .     256 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads\n"
        "ptxas info    : Used 32 registers, used 1 barriers, 256 bytes cumulative stack size, 4096 bytes smem\n"
        "ptxas info    : Compile time = 6.440 ms\n"
        "ptxas info    : Compiling entry function '_Z1tPf' for 'sm_90'\n"
        "ptxas info    : Function properties for _Z1tPf\n"
        "ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
        "ptxas info    : Used 8 registers, used 0 barriers\n");
    ASSERT_EQ(figures.size(), 2u);
    EXPECT_EQ(figures.at("k").registers, 32u);
    EXPECT_EQ(figures.at("k").local_bytes, 256u);
    EXPECT_EQ(figures.at("k").spill_store_bytes, 8u);
    EXPECT_EQ(figures.at("k").spill_load_bytes, 12u);
    EXPECT_EQ(figures.at("k").static_shared, 4096u);
    EXPECT_EQ(figures.at("_Z1tPf").registers, 8u);
    EXPECT_EQ(figures.at("_Z1tPf").static_shared, 0u);
}

}  // namespace
}  // namespace optiml::gpu
