#include "transforms/testing.h"

namespace optiml::transforms::testing {
namespace {

class SharedMemoryTilingTest : public ::testing::TestWithParam<Case> {};
TEST_P(SharedMemoryTilingTest, Rewrites) { expect_rewritten(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Table, SharedMemoryTilingTest, ::testing::Values(
    Case{.name = "one_element_a_thread",
         .before = R"(__global__ void matmul(const float* a, const float* b, float* c, int rows, int cols, int n) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols) {
        float sum = 0.0f;
        for (int i = 0; i < n; ++i) sum += a[row * n + i] * b[i * cols + col];
        c[row * cols + col] = 0.5f * sum;  // halved
    }
}
)",
         .grid = {"ceil_div(cols, 16)", "ceil_div(rows, 16)"}, .block = {16, 16},
         .transformation = "shared_memory_tiling", .parameters = {{"rows_a_thread", 1}, {"columns_a_thread", 1}, {"depth", 16}},
         .after = R"(__global__ void matmul(const float* a, const float* b, float* c, int rows, int cols, int n) {
    __shared__ __align__(16) float a_tile[16][20];
    __shared__ __align__(16) float b_tile[16][20];
    const int thread = threadIdx.y * 16 + threadIdx.x;
    int row = blockIdx.y * 16 + threadIdx.y;
    int col = blockIdx.x * 16 + threadIdx.x;
    float sum = 0.0f;
    for (int first_i = 0; first_i < n; first_i += 16) {
        #pragma unroll
        for (int place = thread; place < 256; place += 256) {
            int row = blockIdx.y * 16 + place / 16;
            const int i = first_i + place % 16;
            a_tile[place % 16][place / 16] = row < rows && i < n ? a[row * n + i] : 0.0f;
        }
        #pragma unroll
        for (int place = thread; place < 256; place += 256) {
            int col = blockIdx.x * 16 + place % 16;
            const int i = first_i + place / 16;
            b_tile[place / 16][place % 16] = col < cols && i < n ? b[i * cols + col] : 0.0f;
        }
        __syncthreads();
        #pragma unroll
        for (int step = 0; step < 16; ++step) {
            sum += a_tile[step][threadIdx.y] * b_tile[step][threadIdx.x];
        }
        __syncthreads();
    }
    if (row < rows && col < cols) {
        c[row * cols + col] = 0.5f * sum;  // halved
    }
}
)",
         .grid_after = {"ceil_div(cols, 16)", "ceil_div(rows, 16)"}, .block_after = {16, 16}},
    Case{.name = "several_elements_and_a_maximum",
         .before = R"(__global__ void farthest(const float* a, const float* b, float* d, int rows, int cols, int n) {
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || col >= cols) return;
    float largest = -1.0f;
    for (int i = 0; i < n; ++i) {
        largest = fmaxf(largest, fabsf(a[i * rows + row] - b[i * cols + col]));
    }
    d[row * cols + col] = largest;
}
)",
         .grid = {"ceil_div(cols, 16)", "ceil_div(rows, 16)"}, .block = {16, 16},
         .transformation = "shared_memory_tiling", .parameters = {{"rows_a_thread", 8}, {"columns_a_thread", 8}, {"depth", 8}},
         .after = R"(__global__ void farthest(const float* a, const float* b, float* d, int rows, int cols, int n) {
    __shared__ __align__(16) float a_tile[8][132];
    __shared__ __align__(16) float b_tile[8][132];
    const int thread = threadIdx.y * 16 + threadIdx.x;
    float largest[8][8];
    #pragma unroll
    for (int tile_row = 0; tile_row < 8; ++tile_row) {
        #pragma unroll
        for (int tile_column = 0; tile_column < 8; ++tile_column) {
            largest[tile_row][tile_column] = -1.0f;
        }
    }
    for (int first_i = 0; first_i < n; first_i += 8) {
        #pragma unroll
        for (int place = thread; place < 1024; place += 256) {
            const int row = blockIdx.y * 128 + place % 128;
            const int i = first_i + place / 128;
            a_tile[place / 128][place % 128] = row < rows && i < n ? a[i * rows + row] : 0.0f;
        }
        #pragma unroll
        for (int place = thread; place < 1024; place += 256) {
            const int col = blockIdx.x * 128 + place % 128;
            const int i = first_i + place / 128;
            b_tile[place / 128][place % 128] = col < cols && i < n ? b[i * cols + col] : 0.0f;
        }
        __syncthreads();
        for (int step = 0; step < 8 && first_i + step < n; ++step) {
            float a_values[8];
            #pragma unroll
            for (int tile_row = 0; tile_row < 8; ++tile_row) {
                a_values[tile_row] = a_tile[step][tile_row / 4 * 64 + threadIdx.y * 4 + tile_row % 4];
            }
            float b_values[8];
            #pragma unroll
            for (int tile_column = 0; tile_column < 8; ++tile_column) {
                b_values[tile_column] = b_tile[step][tile_column / 4 * 64 + threadIdx.x * 4 + tile_column % 4];
            }
            #pragma unroll
            for (int tile_row = 0; tile_row < 8; ++tile_row) {
                #pragma unroll
                for (int tile_column = 0; tile_column < 8; ++tile_column) {
                    largest[tile_row][tile_column] = fmaxf(largest[tile_row][tile_column], fabsf(a_values[tile_row] - b_values[tile_column]));
                }
            }
        }
        __syncthreads();
    }
    #pragma unroll
    for (int tile_row = 0; tile_row < 8; ++tile_row) {
        #pragma unroll
        for (int tile_column = 0; tile_column < 8; ++tile_column) {
            const int row = blockIdx.y * 128 + tile_row / 4 * 64 + threadIdx.y * 4 + tile_row % 4;
            const int col = blockIdx.x * 128 + tile_column / 4 * 64 + threadIdx.x * 4 + tile_column % 4;
            if (row < rows && col < cols) {
                d[row * cols + col] = largest[tile_row][tile_column];
            }
        }
    }
}
)",
         .grid_after = {"ceil_div(cols, 128)", "ceil_div(rows, 128)"}, .block_after = {16, 16}},
    Case{.name = "not_with_a_bound_of_the_row",
         .before = R"(__global__ void matmul(const float* a, const float* b, float* c, int rows, int cols, int n) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols) {
        float sum = 0.0f;
        for (int i = 0; i < row; ++i) sum += a[row * n + i] * b[i * cols + col];
        c[row * cols + col] = 0.5f * sum;  // halved
    }
}
)",
         .grid = {"ceil_div(cols, 16)", "ceil_div(rows, 16)"}, .block = {16, 16},
         .transformation = "shared_memory_tiling", .parameters = {{"rows_a_thread", 1}, {"columns_a_thread", 1}, {"depth", 16}},
         .after = "", .grid_after = {}, .block_after = {}},
    Case{.name = "not_with_a_first_value_from_memory",
         .before = R"(__global__ void matmul(const float* a, const float* b, float* c, int rows, int cols, int n) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols) {
        float sum = a[row];
        for (int i = 0; i < n; ++i) sum += a[row * n + i] * b[i * cols + col];
        c[row * cols + col] = 0.5f * sum;  // halved
    }
}
)",
         .grid = {"ceil_div(cols, 16)", "ceil_div(rows, 16)"}, .block = {16, 16},
         .transformation = "shared_memory_tiling", .parameters = {{"rows_a_thread", 1}, {"columns_a_thread", 1}, {"depth", 16}},
         .after = "", .grid_after = {}, .block_after = {}},
    Case{.name = "not_with_an_operand_that_is_written",
         .before = R"(__global__ void matmul(const float* a, float* c, int rows, int cols, int n) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols) {
        float sum = 0.0f;
        for (int i = 0; i < n; ++i) sum += a[row * n + i] * c[i * cols + col];
        c[row * cols + col] = 0.5f * sum;  // halved
    }
}
)",
         .grid = {"ceil_div(cols, 16)", "ceil_div(rows, 16)"}, .block = {16, 16},
         .transformation = "shared_memory_tiling", .parameters = {{"rows_a_thread", 1}, {"columns_a_thread", 1}, {"depth", 16}},
         .after = "", .grid_after = {}, .block_after = {}}),
    name_of);

}  // namespace
}  // namespace optiml::transforms::testing
