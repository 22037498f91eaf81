// Kernels that are slow for a reason that people meet: what the diagnosis says of each, from the source to the sentence.

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "optimizer/diagnosis_inputs.h"
#include "report/explanation.h"
#include "suite_kit.h"

namespace optiml::evaluation {
namespace {

using diagnosis::Bottleneck;
using diagnosis::Evidence;
using diagnosis::Hypothesis;
using testing::HasSubstr;
using testing::Not;

struct Told {
    Evaluation evaluation;
    std::vector<Hypothesis> hypotheses;

    const Hypothesis* find(Bottleneck bottleneck, const std::string& statement = "") const {
        const auto found = std::find_if(hypotheses.begin(), hypotheses.end(), [&](const Hypothesis& hypothesis) {
            return hypothesis.bottleneck == bottleneck && hypothesis.statement.find(statement) != std::string::npos;
        });
        return found == hypotheses.end() ? nullptr : &*found;
    }
    std::string text() const { return report::hypotheses_text(hypotheses); }
    const KernelBuild& build() const { return evaluation.kernels.at(0); }
    double ms() const { return evaluation.timing->cold_ms; }
};

const Evidence* evidence_of(const Hypothesis& hypothesis, const std::string& counter) {
    const auto found = std::find_if(hypothesis.evidence.begin(), hypothesis.evidence.end(),
                                    [&](const Evidence& evidence) { return evidence.counter == counter; });
    return found == hypothesis.evidence.end() ? nullptr : &*found;
}

Told told_of(const std::string& source, const std::string& toml) {
    MemoryDisk disk;
    EXPECT_TRUE(disk.write("k.cu", source));
    const auto task = task::parse_task(toml, "k.toml", disk);
    EXPECT_TRUE(task) << task.error().text();
    EmulatedSettings settings;
    settings.verify = settings.large = false;
    const auto evaluator = EmulatedEvaluator::make(*task, shared_compiler(), disk, settings);
    EXPECT_TRUE(evaluator) << evaluator.error().text();
    Told told;
    told.evaluation = (*evaluator)->evaluate(task::original_of(*task));
    EXPECT_TRUE(told.evaluation.accepted) << text_of(told.evaluation);
    told.hypotheses = diagnosis::diagnose(optimizer::diagnosis_inputs(told.evaluation, optimizer::ceilings_of("emulated:h200"),
                                                                      optimizer::has_double_arguments(*task)));
    return told;
}

std::string task_of(const std::string& type, const std::string& more = "") {
    return "kernel = \"k\"\n[sizes]\nn = { small = 1003, large = \"2^22\" }\n[arguments]\nx = { type = \"" + type +
           "\", extent = \"n\", fill = { uniform = [0.5, 1.5] } }\n" + more + "y = { type = \"" + type +
           "\", extent = \"n\", role = \"output\" }\nn = \"i32\"\n[launch]\ngrid = \"ceil_div(n, 256)\"\nblock = 256\n";
}

// A thread with `live` values at once.
std::string kernel_with(int live, const std::string& bounds) {
    return "constexpr int live = " + std::to_string(live) + ";\n__global__ void " + bounds +
           R"( k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float values[live];
    #pragma unroll
    for (int j = 0; j < live; ++j) values[j] = x[(i + 32 * j) % n];
    for (int round = 0; round < 8; ++round) {
        #pragma unroll
        for (int j = 0; j < live; ++j) values[j] = values[j] * values[(j + 7) % live] + 0.25f;
    }
    float sum = 0.0f;
    #pragma unroll
    for (int j = 0; j < live; ++j) sum += values[j];
    y[i] = sum;
})";
}

// The same bounds leave one kernel as it is and make another spill: only the compiler's count tells them apart.
TEST(SlowKernel, UnderLaunchBoundsIsJudgedByWhatItSpills) {
    const Told plain = told_of(kernel_with(64, ""), task_of("f32"));
    const Told bound = told_of(kernel_with(64, "__launch_bounds__(256, 8)"), task_of("f32"));
    EXPECT_EQ(plain.build().spill_load_bytes, 0u);
    EXPECT_EQ(plain.find(Bottleneck::registers, "spilled"), nullptr) << plain.text();
    ASSERT_GT(bound.build().spill_load_bytes, 0u);
    const Hypothesis* spilled = bound.find(Bottleneck::registers, "registers spilled to local memory");
    ASSERT_NE(spilled, nullptr) << bound.text();
    const Evidence* stores = evidence_of(*spilled, "ptxas__spill_store_bytes");
    const Evidence* loads = evidence_of(*spilled, "ptxas__spill_load_bytes");
    ASSERT_TRUE(stores != nullptr && loads != nullptr) << bound.text();
    EXPECT_EQ(stores->value, bound.build().spill_store_bytes);
    EXPECT_EQ(loads->value, bound.build().spill_load_bytes);
    EXPECT_EQ(bound.find(Bottleneck::local_memory), nullptr) << bound.text();
    EXPECT_GT(bound.ms(), plain.ms());

    const Told few = told_of(kernel_with(6, ""), task_of("f32"));
    const Told few_bound = told_of(kernel_with(6, "__launch_bounds__(256, 8)"), task_of("f32"));
    EXPECT_EQ(few_bound.build().spill_load_bytes, 0u);
    EXPECT_EQ(few_bound.find(Bottleneck::registers, "spilled"), nullptr) << few_bound.text();
    EXPECT_LE(few_bound.ms(), few.ms());
}

std::string formula(const std::string& type, const std::string& two) {
    return "__global__ void k(const " + type + "* x, " + type +
           "* y, int n) {\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i >= n) return;\n    " + type +
           " t = x[i];\n    " + type + " tet = t + t * t;\n    y[i] = " + two + " * t * t / tet;\n}\n";
}

TEST(SlowKernel, WithAConstantThatMakesItDoubleIsToldTheLine) {
    const Told slow = told_of(formula("float", "2.0"), task_of("f32"));
    const Hypothesis* told = slow.find(Bottleneck::compute, "no argument is an f64");
    ASSERT_NE(told, nullptr) << slow.text();
    const Evidence* instructions = evidence_of(*told, "sm__inst_executed_pipe_fp64.sum");
    ASSERT_NE(instructions, nullptr);
    EXPECT_GT(instructions->value, 0);
    EXPECT_EQ(instructions->line, 6u);
    EXPECT_EQ(std::count_if(slow.hypotheses.begin(), slow.hypotheses.end(),
                            [](const Hypothesis& h) { return h.statement.find("ouble") != std::string::npos; }),
              1);

    EXPECT_THAT(told_of(formula("float", "2.0f"), task_of("f32")).text(), Not(HasSubstr("ouble")));
    // Where doubles go in and out they are meant.
    const Told meant = told_of(formula("double", "2.0"), task_of("f64"));
    EXPECT_THAT(meant.text(), Not(HasSubstr("no argument is an f64")));
}

TEST(SlowKernel, WithATernaryThatMakesItDoubleIsToldTheLine) {
    const Told slow = told_of(
        "__global__ void k(const float* x, float* y, int n) {\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i >= n) "
        "return;\n"
        "    float sum = 0.0f;\n    for (int j = 0; j < 64; ++j) {\n        float v = x[i] * j;\n"
        "        sum += v > 7.0f ? v - 0.1 : 0.0;\n    }\n    y[i] = sum;\n}\n",
        task_of("f32"));
    const Hypothesis* told = slow.find(Bottleneck::compute, "no argument is an f64");
    ASSERT_NE(told, nullptr) << slow.text();
    EXPECT_EQ(evidence_of(*told, "sm__inst_executed_pipe_fp64.sum")->line, 7u);
}

TEST(SlowKernel, WithAnArrayIndexedAtRunTimeDoesNotSpill) {
    const Told slow = told_of(R"(__global__ void k(const float* x, const int* which, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float table[24];
    for (int j = 0; j < 24; ++j) table[j] = x[i] * j + 1.0f;
    float sum = 0.0f;
    for (int j = 0; j < 24; ++j) sum += table[(which[i] * j) % 24];
    y[i] = sum;
})",
                              task_of("f32", "which = { type = \"i32\", extent = \"n\", fill = { integers = [0, 23] } }\n"));
    EXPECT_EQ(slow.build().spill_load_bytes, 0u);
    EXPECT_LT(slow.build().registers, 64u);
    EXPECT_GE(slow.build().local_bytes, 96u);
    const Hypothesis* told = slow.find(Bottleneck::local_memory);
    ASSERT_NE(told, nullptr) << slow.text();
    EXPECT_THAT(slow.text(), Not(HasSubstr("pill")));
    EXPECT_EQ(slow.find(Bottleneck::registers), nullptr) << slow.text();
    const Evidence* stack = evidence_of(*told, "ptxas__stack_bytes");
    ASSERT_NE(stack, nullptr);
    EXPECT_EQ(stack->value, slow.build().local_bytes);
    EXPECT_EQ(stack->line, 7u);
    for (const char* remedy : {"unrolled", "shared memory", "constant memory"}) EXPECT_THAT(stack->meaning, HasSubstr(remedy));
}

// Counts into one copy a block or into the only one.
std::string counting(bool in_shared) {
    return std::string(
               "__global__ void k(const int* x, unsigned int* counts, int n) {\n    __shared__ unsigned int own[256];\n"
               "    own[threadIdx.x] = 0;\n    __syncthreads();\n"
               "    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&") +
           (in_shared ? "own" : "counts") +
           "[x[i]], 1u);\n    __syncthreads();\n    if (own[threadIdx.x] != 0) atomicAdd(&counts[threadIdx.x], "
           "own[threadIdx.x]);\n}\n";
}

std::string counting_task(const std::string& fill) {
    return "kernel = \"k\"\n[sizes]\nn = { small = 1003, large = \"2^24\" }\n[arguments]\nx = { type = \"i32\", extent = \"n\", "
           "fill = " +
           fill +
           " }\ncounts = { type = \"u32\", extent = 256, role = \"output\" }\nn = \"i32\"\n[launch]\nclear = \"counts\"\ngrid = "
           "1056\nblock = 256\n";
}

// A histogram has no one time: it has one for each distribution of its input, and so has what it gains from counting in shared
// memory.
TEST(SlowKernel, WithAtomicsHasATimeForEachDistribution) {
    const std::string even = "{ integers = [0, 255] }", equal = "{ constant = 7 }";
    const double even_ms = told_of(counting(false), counting_task(even)).ms(),
                 equal_ms = told_of(counting(false), counting_task(equal)).ms();
    const double even_gain = even_ms / told_of(counting(true), counting_task(even)).ms();
    const double equal_gain = equal_ms / told_of(counting(true), counting_task(equal)).ms();
    EXPECT_GT(std::max(even_ms, equal_ms) / std::min(even_ms, equal_ms), 1.5) << even_ms << " ms, " << equal_ms << " ms";
    EXPECT_GT(std::max(even_gain, equal_gain) / std::min(even_gain, equal_gain), 1.2)
        << even_gain << " times, " << equal_gain << " times";
}

}  // namespace
}  // namespace optiml::evaluation
