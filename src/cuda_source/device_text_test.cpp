#include "cuda_source/device_text.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "cuda_source/parse.h"

namespace optiml::cuda_source {
namespace {

std::string device_text_of(const std::string& text) {
    const Result<SourceFile> source = parse(text, {});
    EXPECT_TRUE(source);
    return device_text(*source);
}

TEST(DeviceText, BlanksTheHost) {
    const std::string text = R"(#include <cstdio>
#include "cuda_runtime.h"
int calls = 0, limits[2] = {1, 2};
const int width = 4;
__device__ float total;
constexpr int twice(int a) { return 2 * a; }
struct Pair { float a, b; };
__device__ float both(Pair p) { return p.a + p.b; }
__global__ void f(float* x) { x[twice(width)] = total; }
int main() {
    f<<<1, 1>>>(nullptr);  // run
    return 0;
}
)";
    const std::string device = device_text_of(text);
    EXPECT_EQ(std::count(device.begin(), device.end(), '\n'), std::count(text.begin(), text.end(), '\n'));
    for (const char* gone : {"include", "calls", "limits", "main", "<<<", "return 0"}) {
        EXPECT_EQ(device.find(gone), std::string::npos) << gone;
    }
    for (const char* kept : {"const int width = 4;", "__device__ float total;", "__host__ __device__ constexpr int twice",
                             "struct Pair", "__device__ float both", "__global__ void f(float* x) { x[twice(width)] = total; }"}) {
        EXPECT_NE(device.find(kept), std::string::npos) << kept;
    }
}

TEST(DeviceText, LeavesDeviceCodeAlone) {
    const std::string text =
        "#include <cuda_fp16.h>\n__host__ __device__ int f() { return 1; }\n__global__ void g(float* x) { x[f()] = 0; }\n";
    ParseOptions options;
    options.cuda_include = "/nowhere";
    const Result<SourceFile> source = parse(text, options);
    ASSERT_TRUE(source);
    EXPECT_EQ(device_text(*source), text);
}

}  // namespace
}  // namespace optiml::cuda_source
