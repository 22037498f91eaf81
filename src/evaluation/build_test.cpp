#include "evaluation/build.h"

#include <gtest/gtest.h>

#include "ptx/parser.h"
#include "evaluation/parameter_flow.h"

namespace optiml::evaluation {
namespace {

TEST(LineOfKernel, IsWhereItsNameStands) {
    const std::string source =
        "__global__ void scale_all(float* x);\n"
        "template <class T>\n"
        "__global__ void\n"
        "__launch_bounds__(256)\n"
        "scale(T* x) {}\n"
        "namespace a { __global__ void other(int n) { scale(n); } }\n";
    EXPECT_EQ(line_of_kernel(source, "scale<float>"), 5u);
    EXPECT_EQ(line_of_kernel(source, "a::other"), 6u);
    EXPECT_EQ(line_of_kernel(source, "scale_all"), 1u);
    EXPECT_EQ(line_of_kernel(source, "missing"), 0u);
}

// A compiler that answers what it is told to.
class ScriptedCompiler final : public gpu::Compiler {
public:
    gpu::CompileOutcome compile(const gpu::CompileRequest& given) override {
        request = given;
        return outcome;
    }
    std::string version() const override { return "scripted"; }
    std::string include_directory() const override { return ""; }
    gpu::CompileRequest request;
    gpu::CompileOutcome outcome;
};

constexpr const char* kPtx = R"(.version 9.0
.target sm_90
.address_size 64
.visible .entry _Z1kPKfPf(.param .u64 _Z1kPKfPf_param_0, .param .u64 _Z1kPKfPf_param_1)
{
.reg .b64 %rd<6>;
.reg .f32 %f<2>;
.loc 1 3 1
ld.param.u64 %rd1, [_Z1kPKfPf_param_0];
ld.param.u64 %rd2, [_Z1kPKfPf_param_1];
cvta.to.global.u64 %rd3, %rd1;
cvta.to.global.u64 %rd4, %rd2;
.loc 1 4 1
ld.global.f32 %f1, [%rd3];
add.s64 %rd5, %rd4, 16;
.loc 1 5 1
st.global.f32 [%rd5], %f1;
.loc 1 6 1
ret;
}
.file 1 "k.cu"
)";

task::Task task_with_kernel() {
    task::Task task;
    task.source = "__global__ void k(const float* x, float* y) {}";
    task.source_file = "k.cu";
    task.kernel = "k";
    task::Step step;
    step.launch.kernel = "k";
    task.plan.steps = {step};
    return task;
}

TEST(Build, TakesKernelsFromTheCompiler) {
    ScriptedCompiler compiler;
    compiler.outcome.compiled = true;
    compiler.outcome.ptx = kPtx;
    compiler.outcome.kernels = {{"k", "_Z1kPKfPf", 12, 0, 0, 0, 0}};
    task::Task task = task_with_kernel();
    task.compile.defines = {"TILE=16"};
    const auto built = build(compiler, task, task::original_of(task), 90);
    ASSERT_TRUE(built) << built.error().finding.message;
    EXPECT_EQ(built->find("k")->registers, 12u);
    EXPECT_EQ(built->resources("k").registers, 12u);
    EXPECT_EQ(built->file, "k.cu");
    EXPECT_EQ(compiler.request.name_expressions, std::vector<std::string>{"k"});
    EXPECT_EQ(compiler.request.options, std::vector<std::string>{"--define-macro=TILE=16"});
    EXPECT_FALSE(compiler.request.prelude.empty());
}

TEST(Build, FailuresAreFindings) {
    ScriptedCompiler compiler;
    const task::Task task = task_with_kernel();
    compiler.outcome.messages = {{false, 1, 1, "a warning"}, {true, 7, 3, "expected a ';'"}};
    auto built = build(compiler, task, task::original_of(task), 90);
    ASSERT_FALSE(built);
    EXPECT_EQ(built.error().finding.kind, FindingKind::compile);
    EXPECT_EQ(built.error().finding.line, 7u);
    EXPECT_EQ(built.error().finding.message, "expected a ';'");
    compiler.outcome.compiled = true;
    compiler.outcome.ptx = kPtx;
    built = build(compiler, task, task::original_of(task), 90);
    ASSERT_FALSE(built);
    EXPECT_EQ(built.error().finding.message, "the source has no kernel k");
}

TEST(Build, AFailureOfTheCompilerSaysNothingOfTheSource) {
    ScriptedCompiler compiler;
    const task::Task task = task_with_kernel();
    compiler.outcome.messages = {{true, 0, 0, "the compiler did not end within 30 s"}};
    EXPECT_FALSE(build(compiler, task, task::original_of(task), 90).error().is_inconclusive);
    compiler.outcome.is_inconclusive = true;
    EXPECT_TRUE(build(compiler, task, task::original_of(task), 90).error().is_inconclusive);
}

TEST(Build, FastMathIsTheUsersToGive) {
    ScriptedCompiler compiler;
    compiler.outcome.compiled = true;
    compiler.outcome.ptx = kPtx;
    compiler.outcome.kernels = {{"k", "_Z1kPKfPf"}};
    task::Task task = task_with_kernel();
    task::Candidate candidate = task::original_of(task);
    candidate.compile.extra = {"--use_fast_math"};
    EXPECT_FALSE(build(compiler, task, candidate, 90));
    task.compile.extra = {"--use_fast_math"};
    EXPECT_TRUE(build(compiler, task, candidate, 90));
    task.compile.extra.clear();
    task.allowances.fast_math = true;
    EXPECT_TRUE(build(compiler, task, candidate, 90));
}

TEST(ParameterFlow, FindsTheStoreOfAParameter) {
    const auto module = ptx::parse(kPtx);
    ASSERT_TRUE(module) << module.error().text();
    const ParameterFlow flow(module->functions[0]);
    EXPECT_EQ(flow.last_store_line(0), 0u);
    EXPECT_EQ(flow.last_store_line(1), 5u);
}

}  // namespace
}  // namespace optiml::evaluation
