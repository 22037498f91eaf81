#include "transforms/testing.h"

#include <gmock/gmock.h>

namespace optiml::transforms::testing {
namespace {

const std::string rows_sum = R"(__global__ void row_sums(const float* x, float* sums, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0.0f;
    // all of the row
    for (int c = 0; c < cols; ++c) sum += x[row * cols + c];
    sums[row] = sum;
}
)";

class UnrollTest : public ::testing::TestWithParam<Case> {};
TEST_P(UnrollTest, Rewrites) { expect_rewritten(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Table, UnrollTest, ::testing::Values(
    Case{.name = "before_the_loop", .before = rows_sum, .grid = {"ceil_div(rows, 128)"}, .block = {128},
         .transformation = "unroll", .parameters = {{"factor", 4}},
         .after = R"(__global__ void row_sums(const float* x, float* sums, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0.0f;
    // all of the row
    #pragma unroll 4
    for (int c = 0; c < cols; ++c) sum += x[row * cols + c];
    sums[row] = sum;
}
)"},
    Case{.name = "in_place_of_another_factor",
         .before = R"(__global__ void k(float* y, int n) {
  float a = 0;
#pragma unroll 2
  for (int i = 0; i < n; ++i)
    a += i;
  y[threadIdx.x] = a;
}
)", .grid = {"1"}, .block = {32}, .transformation = "unroll", .parameters = {{"factor", 8}},
         .after = R"(__global__ void k(float* y, int n) {
  float a = 0;
#pragma unroll 8
  for (int i = 0; i < n; ++i)
    a += i;
  y[threadIdx.x] = a;
}
)"},
    Case{.name = "not_beyond_the_trip_count",
         .before = R"(__global__ void k(float* y) {
    float a = 0;
    for (int i = 0; i < 3; ++i) a += i;
    y[threadIdx.x] = a;
}
)", .grid = {"1"}, .block = {32}, .transformation = "unroll", .parameters = {{"factor", 4}}, .after = "", .grid_after = {}, .block_after = {}}),
    name_of);

std::vector<std::int64_t> factors_of(const std::string& source) {
    task::Task task = task_of(source, {"1"}, {32});
    task::Candidate original = task::original_of(task);
    const auto state = analysed(std::move(task), std::move(original));
    std::vector<std::int64_t> factors;
    for (const Site& site : find_transformation("unroll")->sites(state->context)) {
        for (const Parameters& choice : site.choices) factors.push_back(choice.at("factor"));
    }
    return factors;
}

TEST(Unroll, TakesAShortLoopOfConstantLengthAsAWhole) {
    EXPECT_EQ(factors_of("__global__ void k(float* y) { float a = 0; for (int i = 0; i < 6; ++i) a += i; y[threadIdx.x] = a; }"),
              std::vector<std::int64_t>{6});
}

TEST(Unroll, LeavesOutWhatWouldMakeTheCompilerWriteThousandsOfOperations) {
    const auto nested = [](const std::string& length) {
        return "__device__ float g(const float* x) { float s = 0; for (int d = 0; d < " + length +
               "; ++d) s += x[d] * x[d]; return s; }\n"
               "__global__ void k(const float* x, float* y, int n) {\n"
               "    float a = 0;\n    for (int i = 0; i < n; ++i) a += g(x + i);\n    y[threadIdx.x] = a;\n}\n";
    };
    EXPECT_THAT(factors_of(nested("4")), ::testing::Contains(16));
    EXPECT_THAT(factors_of(nested("64")), ::testing::Not(::testing::Contains(16)));
    EXPECT_THAT(factors_of(nested("64")), ::testing::Contains(4));
}

}  // namespace
}  // namespace optiml::transforms::testing
