// A whole session on a scripted driver: what is judged, how often the original runs, who is answered when the device is lost.
#include <cstdlib>

#include "session_fixture.h"

namespace optiml::evaluation::device {
namespace {

// Original and candidate: both quick, and behind an original that takes long.
class EitherWay : public Session, public testing::WithParamInterface<const char*> {};
INSTANTIATE_TEST_SUITE_P(Originals, EitherWay, testing::Values("100 right", "12000 right"));

TEST_P(EitherWay, TheRightAreAcceptedAndTheWrongAreNot) {
    open(GetParam());
    const auto evaluations = evaluate_all({"50 right", "10 wrong", "20 right"});
    ASSERT_TRUE(evaluations[0] && evaluations[1] && evaluations[2]);
    EXPECT_TRUE(evaluations[0]->accepted) << reason(*evaluations[0]);
    EXPECT_EQ(evaluations[0]->level, Level::L3);
    EXPECT_FALSE(evaluations[1]->accepted);
    EXPECT_EQ(evaluations[1]->first_finding()->kind, FindingKind::accuracy);
    EXPECT_TRUE(evaluations[2]->accepted) << reason(*evaluations[2]);
    const double ratio = std::atof(GetParam()) / 20;
    EXPECT_NEAR(evaluations[2]->timing->speedup[0], ratio, 0.01 * ratio);
    EXPECT_NEAR(evaluations[2]->timing->speedup[1], ratio, 0.01 * ratio);
}

TEST_P(EitherWay, ResultsOfEarlierRunsAreWrongInTimedOnes) {
    open(GetParam());
    for (const char* cheat : {"10 replay", "10 recall"}) {
        const Evaluation evaluation = evaluate(cheat);
        EXPECT_FALSE(evaluation.accepted) << cheat;
        EXPECT_EQ(reason(evaluation).find("in a timed run"), 0u) << cheat << ": " << reason(evaluation);
    }
}

TEST_P(EitherWay, StrayWritesOfOneAreNotHeldAgainstTheNext) {
    open(GetParam());
    ASSERT_TRUE(evaluate("50 right").accepted);
    scripted_stray_writes();
    const Evaluation evaluation = evaluate("50 right");
    EXPECT_TRUE(evaluation.accepted) << reason(evaluation);
    EXPECT_FALSE(evaluate("50 wrong").accepted);
}

TEST_F(Session, AnOriginalThatTakesLongRunsOnceForAllCandidates) {
    const char* original = "12001 right";
    open(original);
    ASSERT_TRUE(evaluate("4100 right").accepted);  // not three times away: compared in pairs
    ASSERT_TRUE(evaluate("4100 right").accepted);
    const std::size_t before = scripted_launches(original);
    for (int i = 0; i < 5; ++i) EXPECT_TRUE(evaluate("20 right").accepted);
    EXPECT_EQ(scripted_launches(original) - before, 2 * 5u) << "at the two odd sizes only";
}

TEST_F(Session, AQuickOriginalGivesATruthToEachJudgedRun) {
    const char* original = "101 right";
    open(original);
    ASSERT_TRUE(evaluate("90 right").accepted);
    const std::size_t before = scripted_launches(original);
    const Evaluation evaluation = evaluate("90 right");
    EXPECT_TRUE(evaluation.accepted);
    EXPECT_GE(scripted_launches(original) - before, 2 + 2 + 2 + evaluation.timing->samples) << "odd sizes, verified, judged in between, in pairs";
}

TEST_F(Session, WhoFaultsIsNamedAndTheOthersAreLeftToANewSession) {
    open("100 right");
    const auto evaluations = evaluate_all({"50 right", "50 fault", "50 right"});
    EXPECT_TRUE(session_->is_lost());
    EXPECT_FALSE(evaluations[0].has_value()) << "accepted, but its counters were not read";
    ASSERT_TRUE(evaluations[1].has_value());
    EXPECT_EQ(evaluations[1]->first_finding()->kind, FindingKind::out_of_bounds);
    EXPECT_FALSE(evaluations[2].has_value());
}

TEST_F(Session, AHangIsNoticed) {
    open("100 right");
    const auto evaluations = evaluate_all({"50 endless", "50 right"});
    EXPECT_TRUE(session_->is_lost());
    ASSERT_TRUE(evaluations[0].has_value());
    EXPECT_EQ(evaluations[0]->first_finding()->kind, FindingKind::time_limit);
    EXPECT_FALSE(evaluations[1].has_value());
}

TEST_F(Session, WhatDoesNotFitBesideTheOthersIsEvaluatedAfterThem) {
    open("100 right");
    scripted_module_limit(6);  // the evaluator's own, the original for three sizes, and two candidates
    const auto evaluations = evaluate_all({"50 right", "40 right", "30 right", "20 right", "10 right"});
    for (const auto& evaluation : evaluations) {
        ASSERT_TRUE(evaluation.has_value());
        EXPECT_TRUE(evaluation->accepted) << reason(*evaluation);
    }
    scripted_module_limit(4);
    EXPECT_FALSE(evaluate("50 right").accepted) << "there is no room at all";
}

class CountedSession : public Session {
protected:
    static void SetUpTestSuite() { ::setenv("OPTIML_CUDA_HOME", SCRIPTED_TOOLKIT, 1); }
    void SetUp() override {
        Session::SetUp();
        settings_.in_process_counters = true;
    }
};

double instructions(const std::optional<Evaluation>& evaluation) {
    if (!evaluation || !evaluation->profile) return -1;
    const auto found = evaluation->profile->counters.find("smsp__inst_executed.sum");
    return found == evaluation->profile->counters.end() ? -1 : found->second;
}

TEST_F(CountedSession, EachHasItsOwnCountersFromOneSession) {
    open("100 right");
    EXPECT_EQ(session_->no_counters_because(), "");
    const std::size_t before = scripted_sessions();
    const auto evaluations = evaluate_all({"50 right", "10 wrong", "20 right", "70 right"});
    EXPECT_EQ(scripted_sessions() - before, 1u);
    EXPECT_EQ(instructions(evaluations[0]), 50);
    EXPECT_FALSE(evaluations[1]->accepted);
    EXPECT_EQ(instructions(evaluations[2]), 20);
    EXPECT_EQ(instructions(evaluations[3]), 70);
    for (const std::size_t accepted : {0, 2, 3}) EXPECT_EQ(evaluations[accepted]->profile->collector, "CUPTI") << evaluations[accepted]->no_counters_because;
}

TEST_F(CountedSession, AnotherTierAndBack) {
    open("100 right");
    EXPECT_EQ(instructions(evaluate_all({"50 right"})[0]), 50);
    const std::size_t before = scripted_sessions();
    const Evaluation deep = session_->profile(compiled("50 right"), gpu::MetricTier::four_passes);
    EXPECT_TRUE(deep.accepted);
    EXPECT_EQ(deep.profile->counters.size(), gpu::metrics_of(gpu::MetricTier::four_passes, "GH100").size());
    EXPECT_EQ(scripted_sessions() - before, 4u);
    EXPECT_EQ(instructions(evaluate_all({"50 right"})[0]), 50);
}

TEST_F(CountedSession, WhoNeverEndsInTheSessionCostsNoOther) {
    open("100 right");
    const auto evaluations = evaluate_all({"50 right", "50 endless_when_counted", "50 right"});
    EXPECT_TRUE(session_->is_lost());
    EXPECT_FALSE(evaluations[0].has_value()) << "to be evaluated again";
    ASSERT_TRUE(evaluations[1].has_value()) << "this one not";
    EXPECT_NE(evaluations[1]->no_counters_because.find("the kernel failed under the profiler"), std::string::npos) << evaluations[1]->no_counters_because;
    EXPECT_FALSE(evaluations[2].has_value());
}

TEST_F(Session, ASpareRunsNoOriginalToOpen) {
    const char* original = "102 right";
    open(original);
    const SessionKnowledge knowledge = session_->knowledge();
    ASSERT_EQ(knowledge.bounds.size(), 3u);
    session_.reset();
    const std::size_t before = scripted_launches(original);
    open(original, knowledge);
    EXPECT_EQ(scripted_launches(original), before);
    EXPECT_TRUE(evaluate("50 right").accepted);
    EXPECT_FALSE(evaluate("50 wrong").accepted);
}

}  // namespace
}  // namespace optiml::evaluation::device
