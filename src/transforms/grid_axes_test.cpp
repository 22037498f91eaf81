#include "transforms/testing.h"

namespace optiml::transforms::testing {
namespace {

class GridAxesTest : public ::testing::TestWithParam<Case> {};
TEST_P(GridAxesTest, Rewrites) { expect_rewritten(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Table, GridAxesTest, ::testing::Values(
    Case{.name = "planes_in_a_loop",
         .before = R"(__global__ void mirror(const float* in, float* out, int planes, int height, int width) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= planes * height * width) return;
    int x = i % width;
    int y = i / width % height;
    int plane = i / (width * height);
    // the same line, backwards
    out[i] = in[(plane * height + y) * width + width - 1 - x];
}
)",
         .grid = {"ceil_div(planes * height * width, 256)", "1"}, .block = {256, 1},
         .transformation = "grid_axes", .parameters = {{"x", 32}, {"y", 4}},
         .after = R"(__global__ void mirror(const float* in, float* out, int planes, int height, int width) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    for (unsigned int plane_number = blockIdx.z; plane_number < planes; plane_number += gridDim.z) {
        int plane = plane_number;
        const int i = (plane_number * height + y) * width + x;
        // the same line, backwards
        out[i] = in[(plane * height + y) * width + width - 1 - x];
    }
}
)",
         .grid_after = {"ceil_div(width, 32)", "ceil_div(height, 4)"}, .block_after = {32, 4}},
    Case{.name = "two_coordinates",
         .before = R"(__global__ void transpose(const float* in, float* out, int height, int width)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < width * height)
    {
        const int y = i / width;
        const int x = i % width;
        if (in[i] < 0.0f) return;
        out[x * height + y] = in[i];
    }
}
)",
         .grid = {"ceil_div(height * width, 256)", "1"}, .block = {256, 1},
         .transformation = "grid_axes", .parameters = {{"x", 16}, {"y", 16}},
         .after = R"(__global__ void transpose(const float* in, float* out, int height, int width)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const int i = y * width + x;
    if (in[i] < 0.0f) return;
    out[x * height + y] = in[i];
}
)",
         .grid_after = {"ceil_div(width, 16)", "ceil_div(height, 16)"}, .block_after = {16, 16}},
    Case{.name = "not_where_the_bound_is_no_product",
         .before = R"(__global__ void mirror(const float* in, float* out, int planes, int height, int width) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= planes * height * width - 1) return;
    int x = i % width;
    int y = i / width % height;
    int plane = i / (width * height);
    // the same line, backwards
    out[i] = in[(plane * height + y) * width + width - 1 - x];
}
)",
         .grid = {"ceil_div(planes * height * width, 256)"}, .block = {256},
         .transformation = "grid_axes", .parameters = {{"x", 32}, {"y", 4}},
         .after = "", .grid_after = {}, .block_after = {}},
    Case{.name = "not_where_weights_are_no_products_of_radices",
         .before = R"(__global__ void mirror(const float* in, float* out, int planes, int height, int width) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= planes * height * width) return;
    int x = i % width;
    int y = i / width % height;
    int plane = i / (width * width);
    // the same line, backwards
    out[i] = in[(plane * height + y) * width + width - 1 - x];
}
)",
         .grid = {"ceil_div(planes * height * width, 256)"}, .block = {256},
         .transformation = "grid_axes", .parameters = {{"x", 32}, {"y", 4}},
         .after = "", .grid_after = {}, .block_after = {}}),
    name_of);

}  // namespace
}  // namespace optiml::transforms::testing
