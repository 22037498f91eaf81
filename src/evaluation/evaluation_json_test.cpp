#include <gtest/gtest.h>

#include "evaluation/evaluation.h"

namespace optiml::evaluation {
namespace {

Evaluation example() {
    Evaluation evaluation;
    evaluation.level = Level::L2;
    evaluation.accepted = true;
    evaluation.findings = {{FindingKind::race, "two writes", "a.cu", 7, "f", {1, 2, 3}, {4, 5, 6}, {{"n", 9}}, "declared"}};
    evaluation.kernels = {{"f<4>", "_Z1f", 32, 1024, 8, 4, 2}};
    evaluation.ptx = {0xffffffffffffffff, 1};
    evaluation.timing = {Source::modelled, "emulated:h200", 0.1, 0.05, {0.1, 0.1}, 0.2, {1.9, 2.1}, 20, {{"n", 1 << 28}}};
    evaluation.profile = Profile{};
    evaluation.profile->counters = {{"smsp__inst_executed.sum", 1e9}};
    evaluation.profile->lines = {{"a.cu", 7, {{"x", 1}}}};
    evaluation.profile->launches = {{"f", {1, 2, 3}, {256, 1, 1}, 5, 0.02, {{"y", 2}}, {{"a.cu", 8, {}}}}};
    evaluation.printed = "two\nlines";
    evaluation.stage_seconds = {{"build", 0.07}};
    return evaluation;
}

TEST(EvaluationJson, ReadsBackEqual) {
    const std::string json = to_json(example());
    const Result<Evaluation> again = evaluation_from_json(json);
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(to_json(*again), json);
    EXPECT_EQ(again->ptx, example().ptx);
    EXPECT_EQ(again->printed, "two\nlines");
    EXPECT_EQ(again->findings.front().sizes, example().findings.front().sizes);
    EXPECT_EQ(again->profile->launches.front().grid, example().profile->launches.front().grid);
}

TEST(EvaluationJson, WhatWasNotReachedStaysAbsent) {
    Evaluation rejected;
    rejected.findings = {{FindingKind::compile, "expected ';' near '\xff'", "a.cu", 3, {}, {}, {}, {}, {}}};
    const Result<Evaluation> again = evaluation_from_json(to_json(rejected));
    ASSERT_TRUE(again);
    EXPECT_FALSE(again->timing);
    EXPECT_FALSE(again->profile);
    EXPECT_FALSE(again->accepted);
}

TEST(EvaluationJson, BrokenTextIsAnError) {
    EXPECT_FALSE(evaluation_from_json("{}"));
    EXPECT_FALSE(evaluation_from_json("nonsense"));
}

}  // namespace
}  // namespace optiml::evaluation
