// Each safeguard of a session catches the cheat that it stands against, whatever else would let it pass; and lets the honest pass.
#include "session_fixture.h"

namespace optiml::evaluation::device {
namespace {

struct Cheat {
    const char* code;
    FindingKind kind;
    const char* message;  // its beginning
};

class Caught : public Session, public testing::WithParamInterface<Cheat> {};
INSTANTIATE_TEST_SUITE_P(Cheats, Caught,
                         testing::Values(Cheat{"10 outside", FindingKind::out_of_bounds, "1 bytes beside 'y' were overwritten"},
                                         Cheat{"10 outside_elsewhere", FindingKind::out_of_bounds, "1 bytes beside 'y' were overwritten"},
                                         Cheat{"10 outside_once", FindingKind::out_of_bounds, "in a timed run: 1 bytes beside 'y' were overwritten"},
                                         Cheat{"10 before", FindingKind::out_of_bounds, "1 bytes beside 'y' were overwritten"},
                                         Cheat{"10 nothing", FindingKind::wrong_values, "1 of 1 elements of 'y' differ"},
                                         Cheat{"10 changes_input", FindingKind::input_modified, ""},
                                         Cheat{"10 tires", FindingKind::accuracy, "in a timed run: "},
                                         Cheat{"10 finds_later", FindingKind::nondeterministic, ""},
                                         Cheat{"10 refused", FindingKind::launch, ""}),
                         [](const auto& cheat) { return std::string(cheat.param.code).substr(3); });

TEST_P(Caught, AndTheNextIsJudgedAsEver) {
    open("100 right");
    const Evaluation evaluation = evaluate(GetParam().code);
    ASSERT_FALSE(evaluation.accepted);
    EXPECT_EQ(evaluation.first_finding()->kind, GetParam().kind);
    EXPECT_EQ(reason(evaluation).find(GetParam().message), 0u) << reason(evaluation);
    EXPECT_FALSE(session_->is_lost());
    EXPECT_TRUE(evaluate("50 right").accepted) << "in the same session";
}

// The same in every run: results of earlier runs are right.
class SameInputs : public Session {
protected:
    void SetUp() override {
        replace_in_task("x = { type = \"f32\", extent = \"n\" }", "x = { type = \"f32\", extent = \"n\", fill = { ramp = [1, 1e-3] } }");
        Session::SetUp();
    }
};

TEST_F(SameInputs, WhatWritesNothingFindsNoEarlierResults) {
    open("100 right");
    ASSERT_TRUE(evaluate("50 right").accepted);
    const Evaluation evaluation = evaluate("10 nothing");
    ASSERT_FALSE(evaluation.accepted);
    EXPECT_EQ(evaluation.first_finding()->kind, FindingKind::wrong_values);
}

// Computed from inputs that the candidate spoilt, be it because no truth is kept or because nobody is rejected by a kept one alone, the truth
// would be as wrong as its results. Nor is the next candidate to suffer for it.
TEST_F(SameInputs, NoTruthComesFromWhatACandidateSpoilt) {
    for (const char* original : {"100 right", "12000 right"}) {
        open(original);
        ASSERT_TRUE(evaluate("50 right").accepted) << original;
        for (const char* cheat : {"10 zeroes", "10 zeroes_from_timing_sizes", "10 zeroes_copies_of_input"}) {
            EXPECT_FALSE(evaluate(cheat).accepted) << original << ", " << cheat;
            const Evaluation honest = evaluate("50 right");
            EXPECT_TRUE(honest.accepted) << original << ", after " << cheat << ": " << reason(honest);
        }
        session_.reset();
    }
}

// Also where it is changed everywhere, so that there is nothing in memory to compare it with.
TEST_F(SameInputs, AChangedInputIsSeen) {
    open("100 right");
    for (const char* cheat : {"10 changes_input", "10 zeroes_copies_of_input"}) {
        const Evaluation evaluation = evaluate(cheat);
        ASSERT_FALSE(evaluation.accepted) << cheat;
        EXPECT_EQ(evaluation.first_finding()->kind, FindingKind::input_modified) << cheat;
        EXPECT_EQ(reason(evaluation), "the input 'x' was changed") << cheat;
    }
}

// Right by a truth that lies open in memory; but none does, be it computed for this run or kept.
TEST_F(Session, TheTruthIsNotToBeFound) {
    for (const char* original : {"100 right", "12000 right"}) {
        open(original);
        ASSERT_TRUE(evaluate("50 right").accepted) << "all that is kept is there now";
        EXPECT_FALSE(evaluate("10 finds").accepted) << original;
        EXPECT_FALSE(evaluate("10 finds_from_timing_sizes").accepted) << original << ": kept truths are there only at these";
        session_.reset();
    }
}

// On the card's memory as it is for a new process, zeros, a scratch buffer that was never written would do.
class WithScratch : public Session {
protected:
    CompiledCandidate compiled(const std::string& code) const override {
        CompiledCandidate candidate = Session::compiled(code);
        candidate.candidate.plan.scratch.push_back({"sums", task::ScalarType::f32, *task::Expression::parse("n")});
        task::LaunchArgument& argument = candidate.candidate.plan.steps[0].launch.arguments.emplace_back();
        argument.buffers = {"sums"};
        return candidate;
    }
};

TEST_F(WithScratch, ScratchHoldsNothing) {
    open("100 right");
    const Evaluation evaluation = evaluate("50 adds_scratch");
    ASSERT_FALSE(evaluation.accepted);
    EXPECT_EQ(evaluation.first_finding()->kind, FindingKind::wrong_values);
    EXPECT_TRUE(evaluate("50 right").accepted);
}

TEST_F(WithScratch, NothingIsWrittenBesideIt) {
    open("100 right");
    const Evaluation evaluation = evaluate("50 outside_scratch");
    ASSERT_FALSE(evaluation.accepted);
    EXPECT_EQ(reason(evaluation), "1 bytes beside 'sums' were overwritten");
}

TEST_F(Session, WhatLiesInL2OrIsPinnedThereIsGoneBeforeEachSample) {
    settings_.take_warm_time = true;
    open("100 right");
    for (const char* code : {"50 likes_l2", "50 pins"}) {
        const Evaluation evaluation = evaluate(code);
        ASSERT_TRUE(evaluation.accepted) << code << ": " << reason(evaluation);
        EXPECT_NEAR(evaluation.timing->cold_ms, 0.05, 0.001) << code;
        EXPECT_NEAR(evaluation.timing->warm_ms, 0.005, 0.0001) << code;
    }
}

TEST_F(Session, WhereTheCardThrottlesAllTheTimeNothingIsSaidOfTheCandidate) {
    open("100 right");
    scripted_throttle(SIZE_MAX);
    const Evaluation evaluation = evaluate("50 right");
    ASSERT_FALSE(evaluation.accepted);
    EXPECT_TRUE(evaluation.is_inconclusive);
    EXPECT_EQ(evaluation.first_finding()->kind, FindingKind::time_limit);
    scripted_throttle(0);
}

// Each sample lasts longer than one reading of the reasons serves.
TEST_F(Session, SamplesTakenWhileTheCardThrottlesAreDropped) {
    open("21000 right");
    scripted_throttle(5);
    const Evaluation evaluation = evaluate("21000 right");
    ASSERT_TRUE(evaluation.accepted) << reason(evaluation);
    EXPECT_NEAR(evaluation.timing->interval[1], 21, 0.1);
    EXPECT_NEAR(evaluation.timing->original_ms, 21, 0.1);
}

TEST_F(Session, LargeSizesAreVerified) {
    open("100 right");
    EXPECT_TRUE(evaluate("50 wrong_when_large").accepted) << "not at the sizes that are timed";
    session_.reset();
    settings_.large_sizes = task::Sizes{{"n", 8192}};
    open("100 right");
    ASSERT_EQ(session_->not_large_because(), "");
    const Evaluation evaluation = evaluate("50 wrong_when_large");
    ASSERT_FALSE(evaluation.accepted);
    EXPECT_EQ(evaluation.first_finding()->sizes.at("n"), 8192);
    EXPECT_TRUE(evaluate("50 right").accepted);
}

// 16 KiB of inputs; the card gives 0.84 GB/s at most, with the tolerance for its clock.
TEST_F(Session, NoneReadsFasterThanTheCardCan) {
    scripted_memory(100'000, 32);
    open("100 right");
    EXPECT_TRUE(evaluate("25 right").accepted) << "0.66 GB/s";
    const Evaluation evaluation = evaluate("10 right");
    ASSERT_FALSE(evaluation.accepted) << "1.6 GB/s";
    EXPECT_NE(reason(evaluation).find("cannot have been read"), std::string::npos) << reason(evaluation);
}

TEST_F(Session, WhereTheOriginalIsAsFastNothingIsSaidOfTheRate) {
    scripted_memory(100'000, 32);
    open("15 right");
    EXPECT_TRUE(evaluate("10 right").accepted);
}

// Three runs are timed, and one more whose truth is known: a cheat that is right in this one is found in the middle, whenever that is.
TEST_F(Session, OneOfTheFewRunsBesideASlowOriginalIsJudgedInTheMiddle) {
    open("60000 right");
    const Evaluation honest = evaluate("20 right");
    ASSERT_TRUE(honest.accepted) << reason(honest);
    ASSERT_EQ(honest.timing->samples, 4u);
    for (int i = 0; i < 10; ++i) {
        const Evaluation evaluation = evaluate("20 lapse");
        EXPECT_FALSE(evaluation.accepted);
        EXPECT_EQ(reason(evaluation).find("in a timed run"), 0u) << reason(evaluation);
    }
}

TEST_F(Session, RunsOnEqualValuesGiveEqualResults) {
    open("100 right");
    const Evaluation evaluation = evaluate("50 unsteady");
    ASSERT_FALSE(evaluation.accepted);
    EXPECT_EQ(evaluation.first_finding()->kind, FindingKind::nondeterministic) << reason(evaluation);
    EXPECT_TRUE(evaluate("50 right").accepted);
}

TEST_F(Session, AtomicsMayRoundInAnyOrder) {
    open("100 right");
    CompiledCandidate candidate = compiled("50 unsteady");
    candidate.candidate.source = "__global__ void scale(const float* x, float* y, int n) { atomicAdd(y, 2 * *x); }";
    const auto evaluation = session_->evaluate({candidate}, std::nullopt)[0];
    ASSERT_TRUE(evaluation);
    EXPECT_TRUE(evaluation->accepted) << reason(*evaluation);
}

TEST_F(Session, NoneIsSteadierThanTheOriginalMustBe) {
    open("100 unsteady");
    const Evaluation evaluation = evaluate("50 unsteady");
    EXPECT_TRUE(evaluation.accepted) << reason(evaluation);
    const SessionKnowledge knowledge = session_->knowledge();
    session_.reset();
    open("100 unsteady", knowledge);
    EXPECT_TRUE(evaluate("50 unsteady").accepted) << "a spare knows as much";
}

// Its kernel faults on values that were not restored.
class InPlace : public Session {
protected:
    void SetUp() override {
        replace_in_task("\"output\"", "\"inout\"");
        Session::SetUp();
        settings_.take_warm_time = true;
    }
};

TEST_F(InPlace, EachRunFindsTheFirstValues) {
    open("100 adds");
    const Evaluation evaluation = evaluate("50 adds");
    ASSERT_TRUE(evaluation.accepted) << reason(evaluation);
    EXPECT_GE(evaluation.timing->samples, 5u);
    EXPECT_NEAR(evaluation.timing->warm_ms, 0.05, 0.001);
    EXPECT_FALSE(session_->is_lost());
}

TEST_F(InPlace, WhatLeavesTheValuesAloneIsWrong) {
    open("100 adds");
    EXPECT_FALSE(evaluate("50 nothing").accepted);
}

}  // namespace
}  // namespace optiml::evaluation::device
