#include "transforms/testing.h"

namespace optiml::transforms::testing {
namespace {

class ThreadAxisSwapTest : public ::testing::TestWithParam<Case> {};
TEST_P(ThreadAxisSwapTest, Rewrites) { expect_rewritten(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Table, ThreadAxisSwapTest, ::testing::Values(
    Case{.name = "with_the_block",
         .before = R"(__global__ void k(const float* a, float* b, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || col >= cols) return;
    b[row * cols + col] = 2.0f * a[row * cols + col];
}
)",
         .grid = {"ceil_div(rows, 8)", "ceil_div(cols, 32)"}, .block = {8, 32},
         .transformation = "thread_axis_swap", .parameters = {{"keep_block", 0}},
         .after = R"(__global__ void k(const float* a, float* b, int rows, int cols) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows || col >= cols) return;
    b[row * cols + col] = 2.0f * a[row * cols + col];
}
)",
         .grid_after = {"ceil_div(cols, 32)", "ceil_div(rows, 8)"}, .block_after = {32, 8}},
    Case{.name = "within_the_block",
         .before = R"(__global__ void k(const float* a, float* b, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || col >= cols) return;
    b[row * cols + col] = 2.0f * a[row * cols + col];
}
)",
         .grid = {"ceil_div(rows, 32)", "ceil_div(cols, 8)"}, .block = {32, 8},
         .transformation = "thread_axis_swap", .parameters = {{"keep_block", 1}},
         .after = R"(__global__ void k(const float* a, float* b, int rows, int cols) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows || col >= cols) return;
    b[row * cols + col] = 2.0f * a[row * cols + col];
}
)",
         .grid_after = {"ceil_div(cols, 32)", "ceil_div(rows, 8)"}, .block_after = {32, 8}},
    Case{.name = "not_where_lanes_are_neighbours",
         .before = R"(__global__ void copy(const float* a, float* b, int rows, int cols) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols) b[row * cols + col] = a[row * cols + col];
}
)",
         .grid = {"ceil_div(cols, 16)", "ceil_div(rows, 16)"}, .block = {16, 16},
         .transformation = "thread_axis_swap", .parameters = {{"keep_block", 0}},
         .after = "", .grid_after = {}, .block_after = {}},
    Case{.name = "not_with_warp_primitives",
         .before = R"(__global__ void k(const float* a, float* b, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || col >= cols) return;
    b[row * cols + col] = __shfl_xor_sync(0xffffffff, a[row * cols + col], 1);
}
)",
         .grid = {"ceil_div(rows, 8)", "ceil_div(cols, 32)"}, .block = {8, 32},
         .transformation = "thread_axis_swap", .parameters = {{"keep_block", 0}},
         .after = "", .grid_after = {}, .block_after = {}}),
    name_of);

}  // namespace
}  // namespace optiml::transforms::testing
