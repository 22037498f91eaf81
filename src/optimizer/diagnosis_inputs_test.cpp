#include "optimizer/diagnosis_inputs.h"

#include <gtest/gtest.h>

namespace optiml::optimizer {
namespace {

TEST(DiagnosisInputs, ACardHasTheCeilingsOfItsModel) {
    EXPECT_EQ(ceilings_of_card("NVIDIA H200").at("sm_count"), 132);
    EXPECT_EQ(ceilings_of_card("cuda:0 NVIDIA H200"), ceilings_of("emulated:h200"));
    EXPECT_EQ(ceilings_of_card("NVIDIA A100-SXM4-80GB"), ceilings_of("emulated:a100"));
    EXPECT_TRUE(ceilings_of_card("NVIDIA A100-SXM4-40GB").empty());
    EXPECT_TRUE(ceilings_of_card("").empty());
}

TEST(DiagnosisInputs, AMeasuredEvaluationNamesItsCard) {
    evaluation::Evaluation evaluation;
    EXPECT_TRUE(ceilings_of("cuda:0", evaluation).empty());
    evaluation.timing.emplace().device = "cuda:0 NVIDIA H200";
    EXPECT_EQ(ceilings_of("cuda:0", evaluation), ceilings_of("emulated:h200"));
    EXPECT_EQ(ceilings_of("emulated:a100", evaluation), ceilings_of("emulated:a100"));
}

}  // namespace
}  // namespace optiml::optimizer
