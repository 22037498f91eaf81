#include "transforms/testing.h"

namespace optiml::transforms::testing {
namespace {

class SharedMemoryTransposeTest : public ::testing::TestWithParam<Case> {};
TEST_P(SharedMemoryTransposeTest, Rewrites) { expect_rewritten(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Table, SharedMemoryTransposeTest, ::testing::Values(
    Case{.name = "with_a_returning_guard",
         .before = R"(__global__ void transpose(const float* a, float* b, int rows, int cols) {
    // the place
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || col >= cols) return;
    float value = a[row * cols + col];
    b[col * rows + row] = 2.0f * value;  // doubled
}
)",
         .grid = {"ceil_div(cols, 16)", "ceil_div(rows, 16)"}, .block = {16, 16},
         .transformation = "shared_memory_transpose", .parameters = {{"block_rows", 8}},
         .after = R"(__global__ void transpose(const float* a, float* b, int rows, int cols) {
    // the place
    __shared__ float tile[32][33];  // a column more than it holds, so that a column's elements lie in different banks
    for (int line = threadIdx.y; line < 32; line += 8) {
        int col = blockIdx.x * 32 + threadIdx.x;
        int row = blockIdx.y * 32 + line;
        if (row < rows && col < cols) {
            float value = a[row * cols + col];
            tile[line][threadIdx.x] = 2.0f * value;  // doubled
        }
    }
    __syncthreads();
    for (int line = threadIdx.y; line < 32; line += 8) {
        int col = blockIdx.x * 32 + line;
        int row = blockIdx.y * 32 + threadIdx.x;
        if (row < rows && col < cols) {
            b[col * rows + row] = tile[threadIdx.x][line];
        }
    }
}
)",
         .grid_after = {"ceil_div(cols, 32)", "ceil_div(rows, 32)"}, .block_after = {32, 8}},
    Case{.name = "of_several_planes",
         .before = R"(__global__ void planes(const float* a, float* b, int rows, int cols) {
  int plane = blockIdx.z;
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y < rows && x < cols) b[(plane * cols + x) * rows + y] = a[(plane * rows + y) * cols + x];
}
)",
         .grid = {"ceil_div(cols, 32)", "ceil_div(rows, 8)", "4"}, .block = {32, 8, 1},
         .transformation = "shared_memory_transpose", .parameters = {{"block_rows", 4}},
         .after = R"(__global__ void planes(const float* a, float* b, int rows, int cols) {
  int plane = blockIdx.z;
  __shared__ float tile[32][33];  // a column more than it holds, so that a column's elements lie in different banks
  for (int line = threadIdx.y; line < 32; line += 4) {
    int x = blockIdx.x * 32 + threadIdx.x;
    int y = blockIdx.y * 32 + line;
    if (y < rows && x < cols) {
      tile[line][threadIdx.x] = a[(plane * rows + y) * cols + x];
    }
  }
  __syncthreads();
  for (int line = threadIdx.y; line < 32; line += 4) {
    int x = blockIdx.x * 32 + line;
    int y = blockIdx.y * 32 + threadIdx.x;
    if (y < rows && x < cols) {
      b[(plane * cols + x) * rows + y] = tile[threadIdx.x][line];
    }
  }
}
)",
         .grid_after = {"ceil_div(cols, 32)", "ceil_div(rows, 32)", "4"}, .block_after = {32, 4, 1}},
    Case{.name = "not_a_store_that_lanes_share_rows_of",
         .before = R"(__global__ void copy(const float* a, float* b, int rows, int cols) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols) b[row * cols + col] = a[row * cols + col];
}
)",
         .grid = {"ceil_div(cols, 32)", "ceil_div(rows, 8)"}, .block = {32, 8},
         .transformation = "shared_memory_transpose", .parameters = {{"block_rows", 8}},
         .after = "", .grid_after = {}, .block_after = {}},
    Case{.name = "not_where_data_decides_the_place",
         .before = R"(__global__ void transpose(const float* a, float* b, int rows, int cols) {
    // the place
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || col >= cols) return;
    float value = a[row * cols + col];
    b[(int)a[0] * rows + row] = 2.0f * value;  // doubled
}
)",
         .grid = {"ceil_div(cols, 32)", "ceil_div(rows, 8)"}, .block = {32, 8},
         .transformation = "shared_memory_transpose", .parameters = {{"block_rows", 8}},
         .after = "", .grid_after = {}, .block_after = {}}),
    name_of);

}  // namespace
}  // namespace optiml::transforms::testing
