#include <gtest/gtest.h>

#include "evaluation/recorded.h"

namespace optiml::evaluation {
namespace {

// A candidate's time is the length of its source.
class LengthEvaluator final : public Evaluator {
public:
    Evaluation evaluate(const task::Candidate& candidate) override {
        Evaluation evaluation;
        evaluation.accepted = true;
        evaluation.timing = Timing{Source::modelled, "test", static_cast<double>(candidate.source.size())};
        return evaluation;
    }
    std::string identity() const override { return "lengths"; }
};

task::Candidate candidate_of(std::string source) {
    task::Candidate candidate;
    candidate.source = std::move(source);
    return candidate;
}

TEST(RecordedEvaluators, RepeatWhatWasRecorded) {
    LengthEvaluator inner;
    RecordingEvaluator recorder(inner);
    recorder.evaluate(candidate_of("abc"));
    const Evaluation expected = recorder.evaluate(candidate_of("abcd"));
    auto replayed = ReplayedEvaluator::from(recorder.recording());
    ASSERT_TRUE(replayed) << replayed.error().text();
    EXPECT_EQ(replayed->evaluate(candidate_of("abcd")), expected);
    EXPECT_EQ(replayed->evaluate(candidate_of("x")).first_finding()->kind, FindingKind::unsupported);
    EXPECT_FALSE(ReplayedEvaluator::from("nonsense\n"));
}

}  // namespace
}  // namespace optiml::evaluation
