#include "optimizer/cached_evaluator.h"

#include <gtest/gtest.h>

namespace optiml::optimizer {
namespace {

struct Calls {
    int evaluated = 0;
    int deepened = 0;
    int rested = 0;
    bool inconclusive = false;
};

class CountingEvaluator final : public evaluation::Evaluator {
public:
    CountingEvaluator(Calls& calls, bool has_more) : calls_(calls), has_more_(has_more) {}
    evaluation::Evaluation evaluate(const task::Candidate&) override {
        ++calls_.evaluated;
        evaluation::Evaluation evaluation;
        evaluation.accepted = true;
        evaluation.is_inconclusive = calls_.inconclusive;
        evaluation.profile = evaluation::Profile{.counters = {{"cheap", 1}}};
        return evaluation;
    }
    void deepen(const task::Candidate&, evaluation::Evaluation& evaluation) override {
        ++calls_.deepened;
        if (has_more_) evaluation.profile->counters["dear"] = 2;
    }
    void rest() override { ++calls_.rested; }
    std::string identity() const override { return "counting"; }

private:
    Calls& calls_;
    const bool has_more_;
};

class CachedDeepening : public testing::Test {
protected:
    CachedEvaluator cached(bool has_more = true) {
        return CachedEvaluator(std::make_unique<CountingEvaluator>(calls, has_more), *store, digest_of("task"), 1);
    }
    Calls calls;
    std::unique_ptr<runs::Store> store = std::move(*runs::open_store(":memory:"));
    task::Candidate candidate;
};

TEST_F(CachedDeepening, IsDoneOnceAndRemembered) {
    {
        CachedEvaluator evaluator = cached();
        evaluation::Evaluation evaluation = evaluator.evaluate(candidate);
        evaluator.deepen(candidate, evaluation);
        EXPECT_EQ(evaluation.profile->counters.at("dear"), 2);
    }
    CachedEvaluator again = cached();
    evaluation::Evaluation evaluation = again.evaluate(candidate);
    EXPECT_EQ(evaluation.profile->counters.count("dear"), 0u) << "a resumed search scores by what it scored by before";
    again.deepen(candidate, evaluation);
    EXPECT_EQ(evaluation.profile->counters.at("dear"), 2);
    EXPECT_EQ(calls.evaluated, 1);
    EXPECT_EQ(calls.deepened, 1);
}

TEST_F(CachedDeepening, WithNothingMoreNothingIsSaved) {
    CachedEvaluator evaluator = cached(false);
    evaluation::Evaluation evaluation = evaluator.evaluate(candidate);
    const evaluation::Evaluation before = evaluation;
    evaluator.deepen(candidate, evaluation);
    evaluator.deepen(candidate, evaluation);
    EXPECT_EQ(evaluation, before);
    EXPECT_EQ(calls.deepened, 2);
}

TEST_F(CachedDeepening, WhatWasNotTheCandidatesDoingIsNotKept) {
    CachedEvaluator evaluator = cached();
    calls.inconclusive = true;
    evaluator.evaluate(candidate);
    calls.inconclusive = false;
    evaluator.evaluate(candidate);
    evaluator.evaluate(candidate);
    EXPECT_EQ(calls.evaluated, 2);
}

TEST_F(CachedDeepening, RestIsPassedOn) {
    cached().rest();
    EXPECT_EQ(calls.rested, 1);
}

}  // namespace
}  // namespace optiml::optimizer
