#pragma once
// Evaluations written down, and an evaluator that repeats them: tests of everything above run without compiler and emulator.

#include <map>
#include <mutex>
#include <string>

#include "base/result.h"
#include "evaluation/evaluation.h"

namespace optiml::evaluation {

// Passes everything on and keeps it; recording() is a JSON line a candidate: its digest, a space, the evaluation.
class RecordingEvaluator final : public Evaluator {
public:
    explicit RecordingEvaluator(Evaluator& inner) : inner_(inner) {}
    Evaluation evaluate(const task::Candidate& candidate) override;
    std::string identity() const override { return inner_.identity(); }
    std::string recording() const;

private:
    Evaluator& inner_;
    mutable std::mutex mutex_;
    std::map<std::string, std::string> lines_;  // by digest: a recording does not depend on the order of evaluations
};

// Answers from a recording. A candidate that is not in it gets a finding of kind unsupported.
class ReplayedEvaluator final : public Evaluator {
public:
    // Error (internal): a line that is none of a recording.
    static Result<ReplayedEvaluator> from(std::string_view recording);
    Evaluation evaluate(const task::Candidate& candidate) override;
    std::string identity() const override { return "recorded"; }

private:
    std::map<std::string, Evaluation> evaluations_;
};

}  // namespace optiml::evaluation
