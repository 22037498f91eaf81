// Sources that include CUDA's own headers; skipped where there are none.
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "base/disk.h"
#include "cuda_source/testing.h"

namespace optiml::cuda_source {
namespace {

using testing::expression_at;
using testing::only_kernel;
using testing::variable_named;

class Includes : public ::testing::Test {
protected:
    void SetUp() override {
        const char* const homes[] = {std::getenv("OPTIML_CUDA_HOME"), std::getenv("CUDA_HOME"), "/usr/local/cuda"};
        for (const char* home : homes) {
            if (home == nullptr || !std::filesystem::exists(std::string(home) + "/include/cuda_fp16.h")) continue;
            options_.cuda_include = std::string(home) + "/include";
            return;
        }
        GTEST_SKIP() << "no CUDA headers on this machine";
    }
    ParseOptions options_;
};

TEST_F(Includes, HalfPrecision) {
    const SourceFile source = testing::parsed(R"(#include <cuda_fp16.h>
#include <cuda_bf16.h>
__global__ void f(const half* x, half2* y, __nv_bfloat16* z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    half s = x[i];
    s = s * x[i + 1] + __float2half(2.0f);
    y[i] = __hfma2(y[i], y[i], __half2half2(s));
    z[i] = __float2bfloat16(__half2float(s));
}
)",
                                              options_);
    const auto element = [&](const char* name) {
        return source.types[source.types[source.variables[variable_named(source, name)].type].element];
    };
    EXPECT_EQ(element("x").kind, TypeKind::floating);
    EXPECT_EQ(element("x").bits, 16u);
    EXPECT_EQ(element("y").kind, TypeKind::vector);
    EXPECT_EQ(element("y").extent, 2u);
    EXPECT_TRUE(element("z").is_bfloat);
    EXPECT_FALSE(source.variables[variable_named(source, "s")].address_taken);
    const KernelFacts facts = analyze(source, only_kernel(source));
    EXPECT_FALSE(facts.calls_unknown);
    EXPECT_EQ(facts.accesses.size(), 6u);
    EXPECT_TRUE(facts.accesses.back().writes);
}

TEST_F(Includes, CooperativeGroups) {
    const SourceFile source = testing::parsed(R"(#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void f(float* x) {
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<32>(block);
    float v = x[block.thread_rank()];
    v += tile.shfl_down(v, 16);
    block.sync();
    if (tile.thread_rank() == 0) x[0] = v;
}
)",
                                              options_);
    const KernelFacts facts = analyze(source, only_kernel(source));
    EXPECT_TRUE(facts.has_barrier);
    EXPECT_TRUE(facts.has_warp_primitives);
}

TEST_F(Includes, TensorCores) {
    const SourceFile source = testing::parsed(R"(#include <mma.h>
using namespace nvcuda;
__global__ void f(const half* a, const half* b, float* c) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 0.0f);
    wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fb, b, 16);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}
)",
                                              options_);
    EXPECT_TRUE(analyze(source, only_kernel(source)).calls_unknown);
}

TEST_F(Includes, HeadersOfTheUser) {
    const auto folder = std::filesystem::temp_directory_path() / "optiml_include_test";
    std::filesystem::create_directories(folder);
    RealDisk disk;
    ASSERT_TRUE(disk.write(folder / "helper.h", "__device__ inline float twice(float v) { return 2 * v; }\n"));
    options_.include_paths = {folder.string()};
    const SourceFile source =
        testing::parsed("#include \"helper.h\"\n__global__ void f(float* x) { x[0] = twice(x[1]); }\n", options_);
    EXPECT_EQ(source.expressions[expression_at(source, "twice(x[1])")].function, none);
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace optiml::cuda_source
