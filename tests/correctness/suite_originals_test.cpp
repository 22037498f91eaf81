// The twenty originals pass their own verification: no false alarm from tolerances, edge sizes or values.

#include <gtest/gtest.h>

#include "suite_kit.h"

namespace optiml::evaluation {
namespace {

class SuiteOriginal : public testing::TestWithParam<const char*> {};

TEST_P(SuiteOriginal, PassesL2) {
    SuiteKit kit(GetParam());
    const Evaluation evaluation = kit.evaluator->evaluate(task::original_of(kit.task));
    EXPECT_TRUE(evaluation.accepted) << text_of(evaluation);
    EXPECT_EQ(evaluation.level, Level::L2);
    for (const Finding& finding : kit.evaluator->original_findings()) ADD_FAILURE() << name_of(finding.kind) << ": " << finding.message;
    RecordProperty("evaluation", text_of(evaluation));
}

INSTANTIATE_TEST_SUITE_P(Suite, SuiteOriginal,
                         testing::Values("relu", "sigmoid", "matrix_copy", "reverse", "transpose", "matmul", "batched_matmul", "conv2d",
                                         "maxpool3d", "layernorm", "softmax", "cross_entropy", "mse", "reduction", "dot", "prefix_sum",
                                         "histogram", "sort", "attention", "monte_carlo"),
                         [](const auto& name) { return std::string(name.param); });

}  // namespace
}  // namespace optiml::evaluation
