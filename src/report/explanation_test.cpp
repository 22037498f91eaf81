#include "report/explanation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "report/result_json.h"
#include "report/text_table.h"

namespace optiml::report {
namespace {

using testing::HasSubstr;
using testing::Not;

Summary example() {
    Summary summary;
    summary.run = "softmax-3";
    summary.task = "softmax";
    summary.kernel = "softmax";
    summary.device = "emulated:h200";
    summary.sizes = {{"rows", 8192}, {"cols", 1024}};
    summary.original_ms = 2.917;
    summary.best_ms = 0.2917;
    summary.interval = {10, 10};
    summary.search = "mcts";
    summary.seed = 7;
    summary.evaluations = 200;
    summary.rejected = 12;
    summary.transpositions = 31;
    summary.stopped_by = "200 evaluations";
    summary.rejections = {{"race", 2}, {"wrong_values", 10}};
    summary.original_hypotheses = {
        {diagnosis::Bottleneck::memory_latency, 0.83, "Warps wait.", {{"warps_active", 6.2, "% of the warps", "softmax.cu", 14}}}};
    Step step;
    step.transformation = "row_sharing";
    step.parameters = {{"threads", 256}};
    step.site = "loop over c, line 14";
    step.summary = "A block shares a row.";
    step.hypothesis = "memory_latency";
    step.statement = "Warps wait.";
    step.before_ms = 2.917;
    step.after_ms = 0.2917;
    step.moved = {{"smsp__inst_executed.sum", 4e9, 1e9}, {"shared", 0, 12}};
    summary.path = {step};
    summary.tried = {{"row_sharing", 20, 3, 9, 10, 10, step.moved}, {"unroll", 4, 4, 0, 0, 0, {}}};
    summary.weights = {{"log speed-up", 1}, {"DRAM bytes", 0.05}};
    summary.reward_parts = {{"log speed-up", 2.3026}};
    summary.verification = "Verified at 12 sizes.";
    summary.original_file = "softmax.cu";
    summary.original_source = "a\nb\n";
    summary.best_source = "a\nc\n";
    summary.kernel_file = "out/softmax.cu";
    return summary;
}

TEST(Explanation, TellsTheWinningPathWithItsEvidence) {
    const std::string text = explain(example(), true);
    for (const char* part : {
             "# softmax: 10.00 times as fast (modelled)",
             "cols = 1024, rows = 8192: 2.917 ms -> 0.2917 ms",
             "200 evaluations",
             "by mcts (seed 7)",
             "12 rejected, 31 seen before",
             "1. **memory_latency** (weight 0.83): Warps wait.",
             "warps_active = 6.2: % of the warps (softmax.cu:14)",
             "### 1. row_sharing (threads 256): 2.917 ms -> 0.2917 ms, x 10.00",
             "Where: loop over c, line 14.",
             "Why: memory_latency. Warps wait.",
             "| smsp__inst_executed.sum | 4.000e+09 | 1.000e+09 | / 4.00 |",
             "| shared                  |         0 |        12 |    new |",
             "| row_sharing    |         20 |        3 |      9 |   x 10.00 |     x 10.00 | smsp__inst_executed.sum / 4.00 |",
             "| unroll         |          4 |        4 |      0 |         - |           - |                              - |",
             "log speed-up",
             "+2.3026",
             "Verified at 12 sizes.",
             "Rejected on the way: 2 race, 10 wrong_values.",
             "--- a/softmax.cu\n+++ b/softmax.cu\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n",
         }) {
        EXPECT_THAT(text, HasSubstr(part));
    }
    EXPECT_THAT(explain(example(), false), Not(HasSubstr("```diff")));
}

TEST(Explanation, SaysThatNothingWasFound) {
    Summary summary = example();
    summary.path.clear();
    summary.best_ms = summary.original_ms;
    summary.best_source = summary.original_source;
    EXPECT_THAT(explain(summary, true), HasSubstr("# softmax: nothing faster was found"));
    EXPECT_THAT(explain(summary, true), Not(HasSubstr("## What was done")));
    EXPECT_THAT(headline(summary), HasSubstr("nothing faster than the original was found: 2.917 ms"));
}

TEST(Explanation, TellsTheWarmTimeWhereItIsKnown) {
    EXPECT_THAT(explain(example(), true), Not(HasSubstr("warm")));
    Summary timed = example();
    timed.best_warm_ms = 0.125;
    EXPECT_THAT(explain(timed, true), HasSubstr("warm L2 cache: 0.125 ms."));
    EXPECT_EQ(nlohmann::json::parse(result_json(timed))["best_warm_ms"], 0.125);
    const auto read = summary_from_json(to_json(timed));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->best_warm_ms, 0.125);
}

TEST(Explanation, TellsForWhichValuesItsTimesHold) {
    EXPECT_THAT(explain(example(), true), Not(HasSubstr("input values")));
    Summary skewed = example();
    skewed.values = {{"bytes", "{ constant = 7 }"}, {"weights", "{ uniform = [0, 1] }"}};
    const auto read = summary_from_json(to_json(skewed));
    ASSERT_TRUE(read);
    EXPECT_THAT(explain(*read, true),
                HasSubstr("Timed with these input values: `bytes` { constant = 7 }, `weights` { uniform = [0, 1] }."));
    EXPECT_EQ(nlohmann::json::parse(result_json(skewed))["values"]["bytes"], "{ constant = 7 }");
}

TEST(Explanation, SaysWhoIsTheJudge) {
    const char* judge = "The judge of every result is what the original computes at the same sizes, in its own precision or in a higher one;";
    Summary summary = example();
    EXPECT_THAT(explain(summary, true), HasSubstr(std::string("Verified at 12 sizes.\n") + judge));
    summary.verification += " Of accuracy: judged against the same computation in f64.";
    EXPECT_THAT(explain(summary, true), HasSubstr(std::string("in f64.\n") + judge));
    summary.verification.clear();
    EXPECT_THAT(explain(summary, true), AllOf(HasSubstr("nothing else had to be verified.\nRejected"), Not(HasSubstr("The judge"))));
}

TEST(Explanation, NamesTheRungThatCountersCameFrom) {
    EXPECT_THAT(explain(example(), true), Not(HasSubstr("Counters by")));
    Summary measured = example();
    measured.collector = "sudo ncu";
    EXPECT_THAT(explain(measured, true), HasSubstr("Counters by sudo ncu."));
    EXPECT_THAT(result_json(measured), HasSubstr("\"collector\": \"sudo ncu\""));
    measured.collector = "driver";
    EXPECT_THAT(explain(*summary_from_json(to_json(measured)), true), HasSubstr("Hardware counters may not be read here"));
}

TEST(ResultJson, HoldsTheCountersOfEachStepAndWhatWasTried) {
    const auto json = nlohmann::json::parse(result_json(example()));
    EXPECT_EQ(json["path"][0]["counters"][0], (nlohmann::json{{"counter", "smsp__inst_executed.sum"}, {"before", 4e9}, {"after", 1e9}}));
    EXPECT_EQ(json["path"][0]["before_ms"], 2.917);
    EXPECT_EQ(json["tried"][1]["transformation"], "unroll");
    EXPECT_EQ(json["tried"][0]["candidates"], 20);
    EXPECT_EQ(json["tried"][0]["counters"].size(), 2u);
    EXPECT_EQ(json["rejections"]["race"], 2);
}

TEST(Summary, SurvivesJson) {
    const Result<Summary> again = summary_from_json(to_json(example()));
    ASSERT_TRUE(again);
    EXPECT_EQ(explain(*again, true), explain(example(), true));
    EXPECT_EQ(again->interval, example().interval);
}

TEST(Summary, BrokenJsonIsAnError) {
    EXPECT_FALSE(summary_from_json("{"));
    EXPECT_FALSE(summary_from_json("[]"));
}

struct NumberCase {
    double value;
    const char* text;
};

TEST(Numbers, AreShort) {
    for (const NumberCase& expected : {NumberCase{0, "0"}, {0.0421234, "0.04212"}, {999.94, "999.9"}, {1000, "1,000"},
                                       {1234567.4, "1,234,567"}, {-12345, "-12,345"}, {1.0737e9, "1.074e+09"}}) {
        EXPECT_EQ(number(expected.value), expected.text);
    }
}

}  // namespace
}  // namespace optiml::report
