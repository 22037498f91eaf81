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

TEST(DiagnosisInputs, HoldWhatTheCompilerTellsOfTheKernelThatSpillsMost) {
    evaluation::Evaluation evaluation;
    EXPECT_TRUE(counters_of(evaluation).empty());
    evaluation.timing.emplace();
    evaluation.profile.emplace().counters = {{"smsp__inst_executed.sum", 7}};
    EXPECT_EQ(counters_of(evaluation).size(), 1u);
    evaluation.kernels = {{.kernel = "a", .local_bytes = 512},
                          {.kernel = "b", .local_bytes = 24, .spill_store_bytes = 16, .spill_load_bytes = 32},
                          {.kernel = "c"}};
    const diagnosis::Inputs inputs = diagnosis_inputs(evaluation, {});
    EXPECT_EQ(inputs.counters, (std::map<std::string, double>{{"smsp__inst_executed.sum", 7},
                                                              {"ptxas__spill_store_bytes", 16},
                                                              {"ptxas__spill_load_bytes", 32},
                                                              {"ptxas__stack_bytes", 24}}));
    EXPECT_TRUE(inputs.is_double_meant);
    EXPECT_FALSE(diagnosis_inputs(evaluation, {}, false).is_double_meant);
}

}  // namespace
}  // namespace optiml::optimizer
