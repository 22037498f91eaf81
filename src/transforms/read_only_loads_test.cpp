#include "transforms/testing.h"

namespace optiml::transforms::testing {
namespace {

class ReadOnlyLoadsTest : public ::testing::TestWithParam<Case> {};
TEST_P(ReadOnlyLoadsTest, Rewrites) { expect_rewritten(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Table, ReadOnlyLoadsTest, ::testing::Values(
    Case{.name = "qualifiers",
         .before = R"(// one thread an element
__global__ void relu(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = fmaxf(x[i], 0.0f);  // negative values become 0
    }
}
)",
         .grid = {"ceil_div(n, 256)"}, .block = {256},
         .transformation = "read_only_loads", .parameters = {{"intrinsic", 0}},
         .after = R"(// one thread an element
__global__ void relu(const float* __restrict__ x, float* __restrict__ y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = fmaxf(x[i], 0.0f);  // negative values become 0
    }
}
)",
         .grid_after = {"ceil_div(n, 256)"}, .block_after = {256}},
    Case{.name = "nested_loads",
         .before = R"(__global__ void gather(const float *x, int *index, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[index[i]];
}
)",
         .grid = {"ceil_div(n, 256)"}, .block = {256},
         .transformation = "read_only_loads", .parameters = {{"intrinsic", 1}},
         .after = R"(__global__ void gather(const float *__restrict__ x, const int *__restrict__ index, float *__restrict__ y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = __ldg(&x[__ldg(&index[i])]);
}
)",
         .grid_after = {"ceil_div(n, 256)"}, .block_after = {256}},
    Case{.name = "no_const_where_the_pointer_is_handed_on",
         .before = R"(__device__ float first(float* p) { return p[0]; }
__global__ void k(float* x, float* y) {
    y[threadIdx.x] = first(x);
}
)",
         .grid = {"1"}, .block = {32},
         .transformation = "read_only_loads", .parameters = {{"intrinsic", 0}},
         .after = R"(__device__ float first(float* p) { return p[0]; }
__global__ void k(float* __restrict__ x, float* __restrict__ y) {
    y[threadIdx.x] = first(x);
}
)",
         .grid_after = {"1"}, .block_after = {32}},
    Case{.name = "nothing_to_load_read_only",
         .before = R"(__global__ void k(float* __restrict__ y) { y[threadIdx.x] += 1.0f; }
)",
         .grid = {"1"}, .block = {32},
         .transformation = "read_only_loads", .parameters = {{"intrinsic", 0}},
         .after = "", .grid_after = {}, .block_after = {}}),
    name_of);

}  // namespace
}  // namespace optiml::transforms::testing
