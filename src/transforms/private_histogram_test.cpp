#include "transforms/testing.h"

namespace optiml::transforms::testing {
namespace {

class PrivateHistogramTest : public ::testing::TestWithParam<Case> {};
TEST_P(PrivateHistogramTest, Rewrites) { expect_rewritten(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Table, PrivateHistogramTest, ::testing::Values(
    Case{.name = "one_table_a_block",
         .before = R"(__global__ void histogram(const unsigned char* x, int* counts, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(&counts[x[i]], 1);  // one of 256
    }
}
)",
         .grid = {"ceil_div(n, 256)"}, .block = {256},
         .transformation = "private_histogram", .parameters = {{"block", 256}, {"blocks", 528}, {"copies", 1}},
         .after = R"(__global__ void histogram(const unsigned char* x, int* counts, int n) {
    __shared__ int block_counts[256];
    for (int bin = threadIdx.x; bin < 256; bin += blockDim.x) block_counts[bin] = 0;
    __syncthreads();
    for (long long i_wide = blockIdx.x * blockDim.x + threadIdx.x; i_wide < n; i_wide += gridDim.x * blockDim.x) {
        const int i = i_wide;
        atomicAdd(&block_counts[x[i]], 1);  // one of 256
    }
    __syncthreads();
    for (int bin = threadIdx.x; bin < 256; bin += blockDim.x) {
        const int total = block_counts[bin];
        if (total != 0) atomicAdd(&counts[bin], total);
    }
}
)",
         .grid_after = {"min(ceil_div(n, 256), 528)"}, .block_after = {256}},
    Case{.name = "copies",
         .before = R"(__global__ void histogram(const unsigned char* x, int* counts, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(&counts[x[i]], 1);  // one of 256
    }
}
)",
         .grid = {"ceil_div(n, 256)"}, .block = {256},
         .transformation = "private_histogram", .parameters = {{"block", 512}, {"blocks", 264}, {"copies", 4}},
         .after = R"(__global__ void histogram(const unsigned char* x, int* counts, int n) {
    __shared__ int block_counts[4][256];  // copies, so that fewer threads meet on one entry
    for (int bin = threadIdx.x; bin < 256; bin += blockDim.x) {
        for (int copy = 0; copy < 4; ++copy) block_counts[copy][bin] = 0;
    }
    __syncthreads();
    for (long long i_wide = blockIdx.x * blockDim.x + threadIdx.x; i_wide < n; i_wide += gridDim.x * blockDim.x) {
        const int i = i_wide;
        atomicAdd(&block_counts[i / 16 % 4][x[i]], 1);  // one of 256
    }
    __syncthreads();
    for (int bin = threadIdx.x; bin < 256; bin += blockDim.x) {
        int total = 0;
        for (int copy = 0; copy < 4; ++copy) total += block_counts[copy][bin];
        if (total != 0) atomicAdd(&counts[bin], total);
    }
}
)",
         .grid_after = {"min(ceil_div(n, 512), 264)"}, .block_after = {512}},
    Case{.name = "not_a_table_that_is_read",
         .before = R"(__global__ void histogram(const unsigned char* x, int* counts, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(&counts[x[i]], counts[0]);  // one of 256
    }
}
)",
         .grid = {"ceil_div(n, 256)"}, .block = {256},
         .transformation = "private_histogram", .parameters = {{"block", 256}, {"blocks", 528}, {"copies", 1}},
         .after = "", .grid_after = {}, .block_after = {}}),
    name_of);

}  // namespace
}  // namespace optiml::transforms::testing
