#include "cuda_source/parse.h"

#include <gtest/gtest.h>

namespace optiml::cuda_source {
namespace {

SourceFile parsed(std::string text) {
    Result<SourceFile> source = parse(std::move(text), {});
    EXPECT_TRUE(source) << source.error().text();
    return source.value_or(SourceFile{});
}

TEST(Parse, FindsAKernelWithItsPlaces) {
    const SourceFile source = parsed(R"(// a comment
extern "C" __global__ __launch_bounds__(256, 2) void relu(const float* __restrict__ x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = fmaxf(x[i], 0.0f);
}
)");
    ASSERT_TRUE(first_error(source)) << first_error(source).error().text();
    const auto kernel = source.find_kernel("relu");
    ASSERT_TRUE(kernel);
    const Function& function = source.functions[*kernel];
    EXPECT_TRUE(function.is_kernel);
    EXPECT_TRUE(function.extern_c);
    EXPECT_EQ(function.lowered_name, "relu");
    EXPECT_TRUE(source.text_of(function.span).starts_with("extern \"C\""));
    EXPECT_TRUE(source.text_of(function.span).ends_with("}"));
    EXPECT_EQ(source.text_of(function.name_span), "relu");
    EXPECT_EQ(source.text_of(function.parameters_span), "const float* __restrict__ x, float *y, int n");
    EXPECT_EQ(function.launch_bounds_threads, 256u);
    EXPECT_EQ(function.launch_bounds_blocks, 2u);
    EXPECT_EQ(source.text_of(function.launch_bounds_span), "__launch_bounds__(256, 2)");
    ASSERT_EQ(function.parameters.size(), 3u);
    const Variable& x = source.variables[function.parameters[0]];
    EXPECT_EQ(source.text_of(x.type_span), "const float");
    EXPECT_EQ(source.text_of(x.declaration), "* __restrict__ x");
    EXPECT_EQ(source.text_of(x.name_span), "x");
}

}  // namespace
}  // namespace optiml::cuda_source
