#include "evaluation/evaluator.h"

#include <gtest/gtest.h>

namespace optiml::evaluation {
namespace {

constexpr const char* kPtx = R"(.version 9.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 k_param_0)
{
ret;
}
)";

// Compiles everything, until its processes fail.
class FailingCompiler final : public gpu::Compiler {
public:
    gpu::CompileOutcome compile(const gpu::CompileRequest&) override {
        gpu::CompileOutcome outcome;
        outcome.compiled = !fails;
        outcome.is_inconclusive = fails;
        if (fails) outcome.messages = {{true, 0, 0, "the compiler did not end within 30 s", ""}};
        outcome.ptx = kPtx;
        outcome.kernels = {{"k", "k"}};
        return outcome;
    }
    std::string version() const override { return "failing"; }
    std::string include_directory() const override { return ""; }
    bool fails = false;
};

task::Task task_with_kernel() {
    task::Task task;
    task.source = "__global__ void k(float* y) {}";
    task.source_file = "k.cu";
    task.kernel = "k";
    task::Step step;
    step.launch.kernel = "k";
    task.plan.steps = {step};
    return task;
}

EmulatedSettings only_build() {
    EmulatedSettings settings;
    settings.verify = settings.large = settings.time = settings.profile = false;
    return settings;
}

TEST(EmulatedEvaluator, AFailureOfTheCompilerIsNoVerdict) {
    FailingCompiler compiler;
    const RealDisk disk;
    const task::Task task = task_with_kernel();
    const auto evaluator = EmulatedEvaluator::make(task, compiler, disk, only_build());
    ASSERT_TRUE(evaluator) << evaluator.error().text();
    compiler.fails = true;
    const Evaluation failed = (*evaluator)->evaluate(task::original_of(task));
    EXPECT_FALSE(failed.accepted);
    EXPECT_TRUE(failed.is_inconclusive);
    ASSERT_FALSE(failed.findings.empty());
    EXPECT_EQ(failed.findings.front().message, "the compiler did not end within 30 s");
    compiler.fails = false;
    const Evaluation built = (*evaluator)->evaluate(task::original_of(task));
    EXPECT_TRUE(built.accepted);
    EXPECT_FALSE(built.is_inconclusive);
}

TEST(EmulatedEvaluator, AFailureOfTheCompilerIsNoFaultOfTheOriginal) {
    FailingCompiler compiler;
    compiler.fails = true;
    const RealDisk disk;
    const auto evaluator = EmulatedEvaluator::make(task_with_kernel(), compiler, disk, only_build());
    ASSERT_FALSE(evaluator);
    EXPECT_EQ(evaluator.error().kind, ErrorKind::environment);
}

}  // namespace
}  // namespace optiml::evaluation
