// Faulty originals, and faults that optimisations bring in, as people report them.

#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evaluation/plan_run.h"
#include "suite_kit.h"

namespace optiml::evaluation {
namespace {

using testing::HasSubstr;

// A task from texts, and what the evaluator says of it.
struct Case {
    MemoryDisk disk;
    task::Task task;
    Result<std::unique_ptr<EmulatedEvaluator>> evaluator = internal_error("not made");

    Case(const std::string& source, const std::string& toml) {
        EXPECT_TRUE(disk.write("k.cu", source));
        auto parsed = task::parse_task(toml, "k.toml", disk);
        EXPECT_TRUE(parsed) << parsed.error().text();
        if (!parsed) return;
        task = std::move(*parsed);
        EmulatedSettings settings;
        settings.time = false;
        evaluator = EmulatedEvaluator::make(task, shared_compiler(), disk, settings);
    }

    Evaluation evaluate(const std::string& source) const {
        task::Candidate candidate = task::original_of(task);
        candidate.source = source;
        return (*evaluator)->evaluate(candidate);
    }
};

std::string vector_task(const std::string& sizes = "n = { small = 1003, large = \"2^20\" }", const std::string& output = "role = \"output\"") {
    return "kernel = \"k\"\n[sizes]\n" + sizes + "\n[arguments]\nx = { type = \"f32\", extent = \"n\" }\ny = { type = \"f32\", extent = \"n\", " +
           output + " }\nn = \"i32\"\n[launch]\ngrid = \"ceil_div(n, 256)\"\nblock = 256\n";
}

constexpr const char* kMatrixTask = R"toml(
kernel = "k"
[sizes]
rows = { small = %ROWS%, large = 1024 }
cols = { small = %COLS%, large = 1024 }
[arguments]
a = { type = "f32", extent = "rows * cols" }
b = { type = "f32", extent = "rows * cols", role = "output" }
rows = "i32"
cols = "i32"
[launch]
grid = ["ceil_div(cols, 16)", "ceil_div(rows, 16)"]
block = [16, 16]
)toml";

std::string matrix_task(int rows, int cols) {
    std::string text = kMatrixTask;
    text.replace(text.find("%ROWS%"), 6, std::to_string(rows));
    text.replace(text.find("%COLS%"), 6, std::to_string(cols));
    return text;
}

const char* kGuardedByAnd = R"(
__global__ void k(const float* a, float* b, int rows, int cols) {
    int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (row >= rows && col >= cols) return;
    b[row * cols + col] = 2.0f * a[row * cols + col];
})";
const char* kGuardedByOr = R"(
__global__ void k(const float* a, float* b, int rows, int cols) {
    int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (row >= rows || col >= cols) return;
    b[row * cols + col] = 2.0f * a[row * cols + col];
})";

TEST(FaultyOriginal, ThatRacesIsNotTakenForTruth) {
    const Case racing(R"(
__global__ void k(const float* x, float* y, int n) {
    __shared__ float tile[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    tile[threadIdx.x] = i < n ? x[i] : 0.0f;
    if (i < n) y[i] = tile[255 - threadIdx.x];
})",
                      vector_task());
    ASSERT_FALSE(racing.evaluator);
    EXPECT_EQ(racing.evaluator.error().kind, ErrorKind::faulty_original);
    EXPECT_THAT(racing.evaluator.error().message, HasSubstr("race"));
    EXPECT_NE(racing.evaluator.error().where.line, 0u);
}

TEST(FaultyOriginal, ThatReadsOutOfBoundsNamesTheLine) {
    const Case reading("__global__ void k(const float* x, float* y, int n) {\n    int i = blockIdx.x * 256 + threadIdx.x;\n"
                       "    if (i < n)\n        y[i] = x[i + 1];\n}\n",
                       vector_task());
    ASSERT_FALSE(reading.evaluator);
    EXPECT_EQ(reading.evaluator.error().kind, ErrorKind::faulty_original);
    EXPECT_EQ(reading.evaluator.error().where.line, 4u);
}

TEST(FaultyOriginal, AtOneSizeIsReportedAndThatSizeLeftOut) {
    const std::string source = R"(
__global__ void k(const float* x, float* y, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) y[i] = x[i] + (i + 1 < n || n == 1 ? x[i + 1] : 0.0f);
})";
    const Case single(source, vector_task());
    ASSERT_TRUE(single.evaluator) << single.evaluator.error().text();
    const auto findings = (*single.evaluator)->original_findings();
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].kind, FindingKind::out_of_bounds);
    EXPECT_EQ(findings[0].sizes, (task::Sizes{{"n", 1}}));
    EXPECT_TRUE(single.evaluate(source).accepted);
    const std::string corrected = R"(
__global__ void k(const float* x, float* y, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) y[i] = x[i] + (i + 1 < n ? x[i + 1] : 0.0f);
})";
    EXPECT_TRUE(single.evaluate(corrected).accepted) << text_of(single.evaluate(corrected));
}

TEST(FaultyOriginal, WithTheWrongGuardDoesNotCondemnTheRightOne) {
    EXPECT_FALSE(Case(kGuardedByAnd, matrix_task(67, 129)).evaluator);
    const Case whole_blocks(kGuardedByAnd, matrix_task(64, 128));
    ASSERT_TRUE(whole_blocks.evaluator) << whole_blocks.evaluator.error().text();
    EXPECT_FALSE((*whole_blocks.evaluator)->original_findings().empty());
    EXPECT_TRUE(whole_blocks.evaluate(kGuardedByOr).accepted) << text_of(whole_blocks.evaluate(kGuardedByOr));
}

TEST(FaultyOriginal, ThatAddsToWhatIsNotThereIsUninitialized) {
    const std::string source = R"(
__global__ void k(const float* x, float* y, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) y[i] += x[i];
})";
    const Case output(source, vector_task());
    ASSERT_FALSE(output.evaluator);
    EXPECT_THAT(output.evaluator.error().message, HasSubstr("uninitialized"));
    const Case inout(source, vector_task("n = { small = 1003, large = \"2^20\" }", "role = \"inout\""));
    ASSERT_TRUE(inout.evaluator) << inout.evaluator.error().text();
    EXPECT_TRUE(inout.evaluate(source).accepted) << text_of(inout.evaluate(source));
}

TEST(FaultyOriginal, ThatDoesNotCompileIsTheUsersWithItsLine) {
    const Case broken("__global__ void k(const float* x, float* y, int n) {\n    y[0] = x[0]\n}\n", vector_task());
    ASSERT_FALSE(broken.evaluator);
    EXPECT_EQ(broken.evaluator.error().kind, ErrorKind::user);
    EXPECT_EQ(broken.evaluator.error().where.line, 3u);
}

// An old program: its kernel is right, CUDA has moved on.
TEST(FaultyOriginal, InOldCudaIsToldWhatReplacesWhatIsGone) {
    const Case shuffling(
        "// warp sums\n__global__ void k(const float* x, float* y, int n) {\n    int i = blockIdx.x * 256 + threadIdx.x;\n"
        "    float v = i < n ? x[i] : 0.0f;\n    v += __shfl_xor(v, 1);\n    if (i < n) y[i] = v;\n}\n",
        vector_task());
    ASSERT_FALSE(shuffling.evaluator);
    EXPECT_EQ(shuffling.evaluator.error().kind, ErrorKind::user);
    EXPECT_EQ(shuffling.evaluator.error().where.line, 5u);
    EXPECT_THAT(shuffling.evaluator.error().message,
                HasSubstr("CUDA no longer has __shfl_xor without a mask: call __shfl_xor_sync"));
    EXPECT_THAT(shuffling.evaluator.error().message, HasSubstr("What the kernel computes is not at fault"));

    const Case texture(
        "#include <cuda_runtime.h>\ntexture<float, 1, cudaReadModeElementType> table;\n"
        "__global__ void k(const float* x, float* y, int n) {\n    int i = blockIdx.x * 256 + threadIdx.x;\n"
        "    if (i < n) y[i] = x[i] * tex1Dfetch(table, i);\n}\n",
        vector_task());
    ASSERT_FALSE(texture.evaluator);
    EXPECT_EQ(texture.evaluator.error().where.line, 2u);
    EXPECT_THAT(texture.evaluator.error().message,
                HasSubstr("CUDA no longer has texture references (texture<...>): give the kernel a cudaTextureObject_t"));
}

// The program around a kernel is not compiled: what it uses that is gone keeps nobody from optimising the kernel.
TEST(FaultyOriginal, IsNotOneWhoseHostCodeIsOld) {
    const Case program(R"(#include <cuda_runtime.h>
#include <stdio.h>
__global__ void k(const float* x, float* y, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) y[i] = 3.0f * x[i];
}
int main() {
    float *x, *y;
    cudaMalloc(&x, 4096); cudaMalloc(&y, 4096);
    k<<<4, 256>>>(x, y, 1024);
    cudaThreadSynchronize();
    cudaDeviceProp card;
    cudaGetDeviceProperties(&card, 0);
    printf("%d kHz\n", card.clockRate);
})",
                       vector_task());
    ASSERT_TRUE(program.evaluator) << program.evaluator.error().text();
    EXPECT_TRUE(program.evaluate(program.task.source).accepted);
}

TEST(FaultyOriginal, WhoseResultIsNothingCannotBeCheckedAgainst) {
    const Case zeros("__global__ void k(const float* x, float* y, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) y[i] = 0; }",
                     vector_task());
    ASSERT_FALSE(zeros.evaluator);
    EXPECT_THAT(zeros.evaluator.error().message, HasSubstr("an output of zeros would pass"));
}

const char* kRowMaximum = R"(
__global__ void k(const float* x, float* y, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n) return;
    float largest = x[i];
    for (int j = 1; j < 8; ++j) largest = fmaxf(largest, x[(i + j) % n]);
    y[i] = largest;
})";

TEST(Candidate, ThatTreatsNanOtherwiseIsReported) {
    const Case maximum(kRowMaximum, vector_task());
    ASSERT_TRUE(maximum.evaluator) << maximum.evaluator.error().text();
    const Evaluation evaluation = maximum.evaluate(R"(
__global__ void k(const float* x, float* y, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n) return;
    float largest = x[i];
    for (int j = 1; j < 8; ++j) { float v = x[(i + j) % n]; largest = v > largest ? v : largest; }
    y[i] = largest;
})");
    ASSERT_FALSE(evaluation.accepted);
    EXPECT_EQ(evaluation.first_finding()->kind, FindingKind::wrong_values);
    EXPECT_EQ(evaluation.first_finding()->pattern, "nan_and_infinity");
}

TEST(Candidate, WithFastMathSlippedInIsRejected) {
    const Case plain(kRowMaximum, vector_task());
    task::Candidate candidate = task::original_of(plain.task);
    candidate.compile.extra.push_back("--use_fast_math");
    const Evaluation evaluation = (*plain.evaluator)->evaluate(candidate);
    EXPECT_EQ(evaluation.level, Level::none);
    EXPECT_EQ(evaluation.first_finding()->kind, FindingKind::compile);
}

TEST(Candidate, ThatLaunchesTooMuchIsRejectedThoughOldDataWouldPass) {
    const Case plain(kRowMaximum, vector_task());
    task::Candidate candidate = task::original_of(plain.task);
    candidate.plan.steps[0].launch.block[0] = task::Expression(2048);
    EXPECT_EQ((*plain.evaluator)->evaluate(candidate).first_finding()->kind, FindingKind::launch);
    candidate = task::original_of(plain.task);
    candidate.plan.steps[0].launch.dynamic_shared = task::Expression(300000);
    EXPECT_EQ((*plain.evaluator)->evaluate(candidate).first_finding()->kind, FindingKind::launch);
    candidate = task::original_of(plain.task);
    candidate.plan.steps[0].launch.arguments.pop_back();
    EXPECT_EQ((*plain.evaluator)->evaluate(candidate).first_finding()->kind, FindingKind::launch);
}

const char* kTreeSum = R"(
__global__ void k(const float* x, float* y, int n) {
    __shared__ float s[256];
    int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = blockIdx.x * 256 + t; i < min(n, blockIdx.x * 256 + 256); i += blockDim.x) sum += x[i];
    s[t] = sum;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (t < half) s[t] += s[t + half];
        __syncthreads();
    }
    if (t == 0) y[blockIdx.x] = s[0];
})";

// A tree that halves the block loses lanes where the block is no power of two.
TEST(Candidate, WhoseBlockIsNoPowerOfTwoIsFoundOut) {
    const Case sums(kTreeSum, vector_task());
    ASSERT_TRUE(sums.evaluator) << sums.evaluator.error().text();
    task::Candidate candidate = task::original_of(sums.task);
    for (const auto& [block, accepted] : {std::pair{64, true}, {48, false}, {128, true}, {192, false}}) {
        candidate.plan.steps[0].launch.block[0] = task::Expression(block);
        const Evaluation evaluation = (*sums.evaluator)->evaluate(candidate);
        EXPECT_EQ(evaluation.accepted, accepted) << block << ": " << text_of(evaluation);
        if (!accepted) {
            EXPECT_EQ(evaluation.first_finding()->kind, FindingKind::wrong_values) << block;
        }
    }
}

// A grid without blocks: nothing runs and nothing is wrong.
TEST(Candidate, ForNoElementsDoesNothing) {
    const Case copy("__global__ void k(const float* x, float* y, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) y[i] = x[i]; }",
                    vector_task("n = { small = 1003, large = \"2^20\" }"));
    ASSERT_TRUE(copy.evaluator) << copy.evaluator.error().text();
    EXPECT_TRUE((*copy.evaluator)->original_findings().empty());
    const auto plan = task::resolve(copy.task, copy.task.plan, {{"n", 0}});
    ASSERT_TRUE(plan);
    EXPECT_TRUE(is_empty(plan->steps[0]));
    EXPECT_TRUE(copy.evaluate(copy.task.source).accepted);
}

TEST(Candidate, ThatWritesNothingOrZerosIsRejected) {
    // Softmax over many columns: every value is tiny, and an absolute tolerance would let zeros pass.
    std::string toml = matrix_task(3, 5003);
    toml.replace(toml.find("[\"ceil_div(cols, 16)\", \"ceil_div(rows, 16)\"]"), 44, "\"rows\"");
    toml.replace(toml.find("[16, 16]"), 8, "1");
    const Case softmax(R"(
__global__ void k(const float* a, float* b, int rows, int cols) {
    int row = blockIdx.x;
    float sum = 0;
    for (int c = 0; c < cols; ++c) sum += expf(a[row * cols + c]);
    for (int c = 0; c < cols; ++c) b[row * cols + c] = expf(a[row * cols + c]) / sum;
})",
                       toml);
    ASSERT_TRUE(softmax.evaluator) << softmax.evaluator.error().text();
    const Evaluation zeros = softmax.evaluate(
        "__global__ void k(const float* a, float* b, int rows, int cols) { for (int c = 0; c < cols; ++c) b[blockIdx.x * cols + c] = 0; }");
    EXPECT_EQ(zeros.first_finding()->kind, FindingKind::wrong_values);
    const Evaluation nothing = softmax.evaluate("__global__ void k(const float* a, float* b, int rows, int cols) {}");
    ASSERT_FALSE(nothing.accepted);
    EXPECT_THAT(nothing.first_finding()->message, HasSubstr("never written"));
}

TEST(Candidate, ThatIsBadLeavesTheNextOneAlone) {
    const Case plain(kRowMaximum, vector_task());
    const std::string out_of_bounds = "__global__ void k(float* x, float* y, int n) { x[-1] = 1; y[n] = 2; y[1ll << 40] = 3; }";
    const std::string endless = "__global__ void k(const float* x, float* y, int n) { while (y[0] != 3) {} }";
    EXPECT_FALSE(plain.evaluate(out_of_bounds).accepted);
    EXPECT_FALSE(plain.evaluate(endless).accepted);
    EXPECT_TRUE(plain.evaluate(kRowMaximum).accepted) << text_of(plain.evaluate(kRowMaximum));
}

Evaluation without_seconds(Evaluation evaluation) {
    evaluation.stage_seconds.clear();
    return evaluation;
}

TEST(Evaluator, GivesTheSameAnswerFromAnyThreadAndAgain) {
    const Case plain(kRowMaximum, vector_task());
    const std::string wrong = "__global__ void k(const float* x, float* y, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) y[i] = x[i]; }";
    const Evaluation right_one = without_seconds(plain.evaluate(kRowMaximum)), wrong_one = without_seconds(plain.evaluate(wrong));
    std::vector<std::thread> threads;
    std::vector<Evaluation> right(4), rejected(4);
    const Case fresh(kRowMaximum, vector_task());
    for (std::size_t t = 0; t < 4; ++t) {
        threads.emplace_back([&, t] {
            right[t] = without_seconds(fresh.evaluate(kRowMaximum));
            rejected[t] = without_seconds(fresh.evaluate(wrong));
        });
    }
    for (std::thread& thread : threads) thread.join();
    for (std::size_t t = 0; t < 4; ++t) {
        EXPECT_EQ(right[t], right_one);
        EXPECT_EQ(rejected[t], wrong_one);
    }
}

TEST(Evaluator, NeedsSmallSizesAtWhichSomethingIsComputed) {
    const Case plain(kRowMaximum, vector_task("n = { small = 0, large = 1024 }"));
    ASSERT_FALSE(plain.evaluator);  // nothing is computed at the small sizes
    EXPECT_THAT(plain.evaluator.error().message, HasSubstr("zeros would pass"));
}

// y = 2 x; a second reference with one block for everything.
constexpr const char* kTwice = "extern \"C\" __global__ void k(const float* x, float* y, int n) {\n"
                               "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) y[i] = %RESULT%;\n}\n";
constexpr const char* kTwiceAtOnce = "extern \"C\" __global__ void twice_at_once(const float* x, float* y, int n) {\n"
                                     "  for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = x[i] + x[i];\n}\n";

std::string twice(const std::string& result) {
    std::string text = kTwice;
    return text.replace(text.find("%RESULT%"), 8, result);
}

struct SecondReference : testing::Test {
    Result<std::unique_ptr<EmulatedEvaluator>> evaluator_for(const std::string& original, const std::string& reference) {
        EXPECT_TRUE(disk.write("k.cu", original));
        EXPECT_TRUE(disk.write("simple.cu", reference));
        EXPECT_TRUE(disk.write("simple.toml", "kernel = \"twice_at_once\"\n[launch]\ngrid = 1\nblock = 64\n"));
        auto task = task::parse_task("reference = \"simple.toml\"\n" + vector_task(), "k.toml", disk);
        EXPECT_TRUE(task) << task.error().text();
        EmulatedSettings settings;
        settings.time = false;
        return EmulatedEvaluator::make(*task, shared_compiler(), disk, settings);
    }
    MemoryDisk disk;
};

TEST_F(SecondReference, AgreesWithAnOriginalOfAnotherShape) {
    const auto evaluator = evaluator_for(twice("2 * x[i]"), kTwiceAtOnce);
    ASSERT_TRUE(evaluator) << evaluator.error().text();
    EXPECT_TRUE((*evaluator)->original_findings().empty());
}

TEST_F(SecondReference, AnOriginalThatDisagreesIsFaulty) {
    const auto evaluator = evaluator_for(twice("i == 700 ? 2.1f * x[i] : 2 * x[i]"), kTwiceAtOnce);
    ASSERT_FALSE(evaluator);
    EXPECT_EQ(evaluator.error().kind, ErrorKind::faulty_original);
    EXPECT_THAT(evaluator.error().text(), HasSubstr("the original and the reference disagree"));
    EXPECT_THAT(evaluator.error().text(), HasSubstr("element 700 of 'y'"));
}

TEST_F(SecondReference, ThatDoesNotCompileSaysSo) {
    const auto evaluator = evaluator_for(twice("2 * x[i]"), "nonsense");
    ASSERT_FALSE(evaluator);
    EXPECT_EQ(evaluator.error().kind, ErrorKind::user);
    EXPECT_THAT(evaluator.error().text(), HasSubstr("simple.cu"));
}

}  // namespace
}  // namespace optiml::evaluation
