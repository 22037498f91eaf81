// Runs on a machine with an NVIDIA GPU; says SKIP elsewhere (CTest label gpu).
#include "evaluation/device/scale_session_test.h"

#include "evaluation/build.h"
#include "gpu/compiler.h"

namespace optiml::evaluation::device {
namespace {

// DELAY and STORE stand for what the tests vary.
constexpr const char* kKernel = R"(
__global__ void scale(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    DELAY
    if (i < n) { STORE }
}
)";
constexpr const char* kGood = "y[i] = 2.0f * x[i];";
constexpr const char* kWrong = "y[i] = 2.5f * x[i];";
constexpr const char* kOutside = "y[i + (1ll << 40)] = 2.0f * x[i];";
// Right to four digits at the timing size; as doubles, and at small sizes, right.
constexpr const char* kCoarse = "float far = n > 100000 ? 3000.0f : 0.0f; y[i] = (2.0f * x[i] + far) - far;";
// Wrong at the timing size only.
constexpr const char* kWrongWhenLarge = "y[i] = (n > 100000 ? 2.5f : 2.0f) * x[i];";
// 15 ms in one thread of the first block.
constexpr const char* kSlow = "if (i == 0) for (int k = 0; k < 15; ++k) __nanosleep(1000000);";

std::string replaced(std::string text, const std::string& what, const std::string& by) { return text.replace(text.find(what), what.size(), by); }

class OnSession : public ScaleSession {
protected:
    void SetUp() override {
        const auto count = gpu::Device::count();
        if (!count || *count == 0) GTEST_SKIP() << "no NVIDIA GPU: " << (count ? "none" : count.error().message);
        auto compiler = gpu::load_compiler();
        ASSERT_TRUE(compiler) << compiler.error().text();
        compiler_ = std::move(*compiler);
        read_task(source(kGood));
        settings_.timing_sizes = {{"n", 1 << 20}};
    }

    static std::string source(const std::string& store, const std::string& delay = "") { return replaced(replaced(kKernel, "DELAY", delay), "STORE", store); }
    CompiledCandidate compiled(const std::string& text) const override {
        task::Candidate candidate = task::original_of(task_);
        candidate.source = text;
        const auto properties = gpu::Device::describe(0);
        const gpu::CompileOutcome outcome = compiler_->compile(compile_request(*compiler_, task_, candidate, properties->compute_capability));
        EXPECT_TRUE(outcome.compiled) << outcome.log;
        return {candidate, outcome.cubin, outcome.kernels};
    }
    void open(const std::string& original, const SessionKnowledge& knowledge = {}) {
        open_on(DeviceTools::open(0, knowledge.helper_cubin, {gpu::ElementType::f32, gpu::ElementType::i32}), original, knowledge);
    }
    bool has_counters(const Evaluation& evaluation) const {
        return evaluation.profile && evaluation.profile->counters.count("smsp__inst_executed.sum") == 1;
    }

    std::unique_ptr<gpu::Compiler> compiler_;
};

using OnLostSession = OnSession;

TEST_F(OnSession, SeveralAreJudgedTimedAndCountedEachForItself) {
    open(source(kGood));
    const auto evaluations = evaluate_all({source(kGood), source(kWrong), source(kGood, kSlow), source(kGood)});
    for (const auto& evaluation : evaluations) ASSERT_TRUE(evaluation.has_value());
    EXPECT_FALSE(evaluations[1]->accepted);
    EXPECT_EQ(evaluations[1]->first_finding()->kind, FindingKind::wrong_values);
    for (const std::size_t good : {0, 2, 3}) {
        ASSERT_TRUE(evaluations[good]->accepted) << evaluations[good]->first_finding()->message;
        EXPECT_EQ(evaluations[good]->level, Level::L3);
        EXPECT_TRUE(has_counters(*evaluations[good]) || !evaluations[good]->no_counters_because.empty());
    }
    EXPECT_GT(evaluations[2]->timing->cold_ms, 10);
    EXPECT_LT(evaluations[3]->timing->cold_ms, 1);
    if (!evaluations[0]->no_counters_because.empty()) GTEST_SKIP() << evaluations[0]->no_counters_because;
    EXPECT_EQ(evaluations[0]->profile->counters.at("smsp__inst_executed.sum"), evaluations[3]->profile->counters.at("smsp__inst_executed.sum"));
    EXPECT_GT(evaluations[2]->profile->counters.at("smsp__inst_executed.sum"), evaluations[0]->profile->counters.at("smsp__inst_executed.sum"));
}

TEST_F(OnSession, AnOriginalThatTakesLongRunsSeldom) {
    open(source(kGood, kSlow));
    EXPECT_GT(session_->original_seconds(), 0.01);
    ASSERT_TRUE(evaluate_all({source(kGood, kSlow)})[0]->accepted);  // now its truths and times are known
    const SteadyClock clock;
    const double began = clock.now();
    const auto evaluations = evaluate_all({source(kGood), source(kWrong), source(kGood)});
    const double seconds = clock.now() - began;
    ASSERT_TRUE(evaluations[0]->accepted) << evaluations[0]->first_finding()->message;
    EXPECT_GT(evaluations[0]->timing->speedup[0], 100);
    EXPECT_EQ(evaluations[1]->first_finding()->kind, FindingKind::wrong_values) << "by a truth computed anew";
    ASSERT_TRUE(evaluations[2]->accepted) << evaluations[2]->first_finding()->message;
    EXPECT_LT(seconds, 1) << "three compilations, and hardly a run of the original";
}

TEST_F(OnSession, ASpareTakesOverWhatIsKnown) {
    open(source(kGood));
    const SessionKnowledge knowledge = session_->knowledge();
    ASSERT_EQ(knowledge.bounds.size(), 3u);
    session_.reset();
    open(source(kGood), knowledge);
    const auto evaluations = evaluate_all({source(kGood), source(kWrong)});
    EXPECT_TRUE(evaluations[0]->accepted);
    EXPECT_EQ(evaluations[1]->first_finding()->kind, FindingKind::wrong_values);
}

TEST_F(OnSession, WhereTheOriginalIsInaccurateItsComputationInF64Judges) {
    open(source(kCoarse));
    const auto evaluations = evaluate_all({source(kWrongWhenLarge), source(kGood), source(kCoarse)});
    EXPECT_FALSE(evaluations[0]->accepted);
    EXPECT_EQ(evaluations[0]->first_finding()->sizes.at("n"), 1 << 20) << "right where f64 is not asked";
    ASSERT_TRUE(evaluations[1]->accepted) << evaluations[1]->first_finding()->message;
    EXPECT_NE(evaluations[1]->accuracy_note, "");
    ASSERT_TRUE(evaluations[2]->accepted) << evaluations[2]->first_finding()->message;
    EXPECT_EQ(evaluations[2]->accuracy_note, "");
}

// Each leaves this process without a context, so CTest runs every test in a process of its own; these are the last in this file for
// whoever runs the program itself.
TEST_F(OnLostSession, WhoFaultsIsNamedAndTheOthersAreLeft) {
    open(source(kGood));
    const auto evaluations = evaluate_all({source(kGood), source(kOutside), source(kGood)});
    EXPECT_TRUE(session_->is_lost());
    EXPECT_FALSE(evaluations[0].has_value()) << "accepted, but its counters were not read";
    ASSERT_TRUE(evaluations[1].has_value());
    EXPECT_EQ(evaluations[1]->first_finding()->kind, FindingKind::out_of_bounds);
    EXPECT_FALSE(evaluations[2].has_value());
}

TEST_F(OnLostSession, AFaultOfTheOriginalInF64IsNobodysFault) {
    open(source(std::string(kCoarse) + " if (sizeof(float) == 8) y[1ll << 40] = 0;"));
    const auto evaluations = evaluate_all({source(kGood), source(kGood)});
    EXPECT_TRUE(session_->is_lost_in_f64());
    EXPECT_FALSE(evaluations[0].has_value() || evaluations[1].has_value());
}

}  // namespace
}  // namespace optiml::evaluation::device
