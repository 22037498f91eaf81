#include "task/inference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cuda_source/parse.h"
#include "task/task.h"

namespace optiml::task {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

InferredTask infer(const std::string& text) {
    const auto source = cuda_source::parse(text, {});
    EXPECT_TRUE(source) << source.error().text();
    EXPECT_TRUE(cuda_source::first_error(*source)) << cuda_source::first_error(*source).error().text();
    return infer_task(*source, source->kernels().front());
}

// The task file parses and its large extents are as expected.
void expect_extents(const InferredTask& inferred, const std::map<std::string, std::string>& extents) {
    EXPECT_THAT(inferred.questions, IsEmpty());
    MemoryDisk disk;
    ASSERT_TRUE(disk.write("k.cu", "x"));
    const auto task = parse_task(inferred.toml, "k.toml", disk);
    ASSERT_TRUE(task) << task.error().text() << "\n" << inferred.toml;
    for (const auto& [name, expected] : extents) {
        const Argument* argument = task->find_argument(name);
        ASSERT_NE(argument, nullptr) << inferred.toml;
        EXPECT_EQ(argument->extent.evaluate(task->large_sizes()).value(), Expression::parse(expected)->evaluate(task->large_sizes()).value())
            << name << "\n" << inferred.toml;
    }
}

TEST(Inference, OfAnElementwiseKernelIsComplete) {
    const InferredTask inferred = infer(R"(
__global__ void axpy(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] + y[i];
})");
    expect_extents(inferred, {{"x", "n"}, {"y", "n"}});
    EXPECT_THAT(inferred.toml, HasSubstr("y = { type = \"f32\", extent = \"n\", role = \"inout\" }"));
    EXPECT_THAT(inferred.toml, HasSubstr("grid = \"ceil_div(n, 256)\""));
}

TEST(Inference, SeesTexturesByTheirFetches) {
    const InferredTask inferred = infer(R"(
__global__ void brighten(cudaTextureObject_t image, float* y, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int z = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && z < height) y[z * width + x] = 2 * tex2D<float4>(image, x + 0.5f, z + 0.5f).x;
})");
    EXPECT_THAT(inferred.toml, HasSubstr("image = { texture = \"2d\", type = \"f32\", channels = 4, extent = [\"width\", \"height\"]"));
    expect_extents(inferred, {{"image", "width * height * 4"}, {"y", "width * height"}});
    expect_extents(infer(R"(
__global__ void copy(cudaTextureObject_t line, int* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = tex1D<int>(line, i);
})"),
                   {{"line", "n"}, {"y", "n"}});
    const InferredTask scaled = infer(R"(
__global__ void stretch(cudaTextureObject_t line, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = tex1D<float>(line, (i + 0.5f) / n);
})");
    EXPECT_THAT(scaled.questions, testing::ElementsAre(HasSubstr("normalized coordinates")));
}

TEST(Inference, FollowsTwoAxesAndLoops) {
    expect_extents(infer(R"(
__global__ void matmul(const double* a, const double* b, double* c, int m, int n, int k) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || col >= n) return;
    double sum = 0;
    for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
})"),
                   {{"a", "m * k"}, {"b", "k * n"}, {"c", "m * n"}});
    expect_extents(infer(R"(
__global__ void row_sums(const float* x, float* y, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        float sum = 0;
        for (int c = 0; c < cols; ++c) sum += x[row * cols + c];
        y[row] = sum;
    }
})"),
                   {{"x", "rows * cols"}, {"y", "rows"}});
}

TEST(Inference, FollowsIndicesThatFall) {
    expect_extents(infer(R"(
__global__ void reverse(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[n - 1 - i];
})"),
                   {{"x", "n"}, {"y", "n"}});
}

TEST(Inference, UsesConditionsAroundAnAccess) {
    expect_extents(infer(R"(
__global__ void shift(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = i + 1 < n ? x[i + 1] : 0.0f;
})"),
                   {{"x", "n"}, {"y", "n"}});
}

struct Question {
    const char* name;
    const char* source;
    const char* question;  // a part of one
};
std::ostream& operator<<(std::ostream& stream, const Question& question) { return stream << question.name; }

class OpenQuestion : public testing::TestWithParam<Question> {};

TEST_P(OpenQuestion, IsAsked) {
    const InferredTask inferred = infer(GetParam().source);
    EXPECT_THAT(inferred.questions, testing::Contains(HasSubstr(GetParam().question))) << inferred.toml;
}

INSTANTIATE_TEST_SUITE_P(
    Table, OpenQuestion,
    testing::Values(
        Question{"data_dependent", R"(__global__ void gather(const float* x, const int* at, float* y, int n) {
            int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = x[at[i]]; })", "elements does 'x' hold"},
        Question{"a_number", R"(__global__ void scale(float* y, float factor, int n) {
            int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] *= factor; })", "value does 'factor' have"},
        Question{"an_integer", R"(__global__ void add(int* y, int summand, int n) {
            int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] += summand; })", "value does 'summand' have"},
        Question{"no_guard", R"(__global__ void copy(const float* x, float* y) { y[threadIdx.x] = x[threadIdx.x]; })", "How many blocks"},
        Question{"a_sum", R"(__global__ void sum(const float* x, float* total, int n) {
            int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) atomicAdd(total, x[i]); })", "'total' begin at 0"},
        Question{"shared_memory", R"(__global__ void turn(const float* x, float* y, int n) {
            __shared__ float tile[256];
            int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;
            tile[threadIdx.x] = x[i]; __syncthreads(); y[i] = tile[threadIdx.x]; })", "Which block size"}),
    [](const auto& question) { return std::string(question.param.name); });

}  // namespace
}  // namespace optiml::task
