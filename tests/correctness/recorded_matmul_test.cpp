// The emulator's counters of a naive matmul against those that a card counted.

#include <gtest/gtest.h>

#include "suite_kit.h"

namespace optiml::evaluation {
namespace {

// Recorded on an H200 by Nsight Compute: the suite's matmul, 2048 x 2048 x 2048, blocks of 16 x 16. Counts that follow from the
// addresses alone are whole; the report had four digits of them.
constexpr double kLoadSectors = 1'073'741'824;  // 1.074e9
constexpr double kLoadRequests = 536'870'912;   // 5.369e8
constexpr double kStoreSectors = 524'288;       // 5.242e5
constexpr double kStoreRequests = 131'072;      // 1.311e5
constexpr double kInstructions = 1.231e9;
constexpr double kBankConflicts = 0;

TEST(RecordedMatmul, Of2048CubedHasTheCountersOfAnH200) {
    const RealDisk disk;
    const auto task = task::load_task(suite_path("matmul.toml"), disk);
    ASSERT_TRUE(task) << task.error().text();
    EmulatedSettings settings;
    settings.verify = settings.large = false;
    settings.timing_sizes = task::Sizes{{"m", 2048}, {"n", 2048}, {"k", 2048}};
    const auto evaluator = EmulatedEvaluator::make(*task, shared_compiler(), disk, settings);
    ASSERT_TRUE(evaluator) << evaluator.error().text();
    const Evaluation evaluation = (*evaluator)->evaluate(task::original_of(*task));
    ASSERT_TRUE(evaluation.accepted) << text_of(evaluation);
    ASSERT_EQ(evaluation.timing->sizes, *settings.timing_sizes);  // blocks are sampled, sizes are not made smaller
    ASSERT_EQ(evaluation.profile->launches.at(0).block, (std::array<std::uint64_t, 3>{16, 16, 1}));

    auto counters = evaluation.profile->counters;
    EXPECT_EQ(counters["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"], kLoadSectors);
    EXPECT_EQ(counters["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"], kLoadRequests);
    EXPECT_EQ(counters["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"], kStoreSectors);
    EXPECT_EQ(counters["l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"], kStoreRequests);
    EXPECT_EQ(counters["l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"], kBankConflicts);
    EXPECT_NEAR(counters["smsp__inst_executed.sum"], kInstructions, 0.15 * kInstructions);
}

}  // namespace
}  // namespace optiml::evaluation
