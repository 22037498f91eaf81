#include "diagnosis/bottleneck.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnosis/h200_recordings_test.h"
#include "diagnosis/roofline.h"

namespace optiml::diagnosis {
namespace {

using testing::HasSubstr;

Inputs inputs_of(const std::string& name) {
    for (const Recording& recording : kRecordings) {
        if (recording.name != name) continue;
        Inputs inputs{recording.counters, {}, {}, recording.time_ms};
        inputs.ceilings = {{"clock_ghz", 1.98}, {"sm_count", 132}, {"dram_gb_per_s", 4275}, {"l2_gb_per_s", 8300}};
        return inputs;
    }
    ADD_FAILURE() << "no recording " << name;
    return {};
}

double weight_of(const std::vector<Hypothesis>& hypotheses, Bottleneck bottleneck) {
    for (const Hypothesis& hypothesis : hypotheses) {
        if (hypothesis.bottleneck == bottleneck) return hypothesis.weight;
    }
    return 0;
}

struct Case {
    const char* kernel;
    std::vector<Bottleneck> first;  // any of these leads
    std::vector<Bottleneck> absent;
};

// A long launch of one block and short ones of many: on average over the time there are more blocks than multiprocessors.
TEST(Diagnosis, LooksAtEachLaunchByItself) {
    Inputs inputs{{{"launch__grid_size", 1000.9}}, {{"sm_count", 132}, {"clock_ghz", 1.98}}, {}, 10};
    inputs.launches = {{1, 9, 1}, {10'000, 0.1, 10}};
    const std::vector<Hypothesis> found = diagnose(inputs);
    const auto idle = std::find_if(found.begin(), found.end(), [](const Hypothesis& h) { return h.bottleneck == Bottleneck::launch; });
    ASSERT_NE(idle, found.end());
    EXPECT_NEAR(idle->weight, 0.9 * 131 / 132, 1e-6);
    EXPECT_THAT(idle->statement, HasSubstr("one of 1 blocks leave 89 %"));
    EXPECT_EQ(idle->evidence.front().value, 1);
}

TEST(Diagnosis, CountsEveryLaunch) {
    Inputs inputs{{{"launch__grid_size", 1000}}, {{"sm_count", 132}, {"clock_ghz", 1.98}}, {}, 0.5};
    inputs.launches = {{1000, 0.005, 100}};
    EXPECT_NEAR(weight_of(diagnose(inputs), Bottleneck::launch), 0.5, 1e-9);  // 100 launches of 2.5 us
    inputs.launches = {};
    EXPECT_EQ(weight_of(diagnose(inputs), Bottleneck::launch), 0);
}

TEST(Diagnosis, NamesWhatBindsKernelsOfAnH200) {
    using enum Bottleneck;
    const Case cases[] = {
        {"relu/naive", {launch}, {uncoalesced_access, divergence, atomics, shared_memory, registers}},
        {"relu/float4", {memory_bandwidth}, {uncoalesced_access, divergence, atomics, registers}},
        {"relu/chunk16", {uncoalesced_access}, {launch, divergence, compute}},
        {"transpose/naive", {uncoalesced_access, memory_latency}, {compute, atomics}},
        {"softmax/thread_row", {memory_latency, occupancy}, {atomics, shared_memory}},
        {"matmul/naive", {l1_throughput}, {uncoalesced_access, divergence, registers}},
        {"matmul/rb128_spill", {registers}, {atomics, divergence}},
        {"matmul/tiled32_conflict", {shared_memory, memory_bandwidth}, {uncoalesced_access, divergence, registers}},
        {"reduction/atomic", {atomics}, {compute, instruction_issue, memory_bandwidth}},
        {"micro/dfma4", {compute}, {memory_bandwidth, uncoalesced_access, divergence}},
        {"micro/fma8", {instruction_issue, compute}, {memory_bandwidth, memory_latency}},
        {"micro/mufu_exp4", {compute}, {memory_bandwidth, memory_latency}},
        {"micro/diverge32", {instruction_issue, divergence}, {memory_bandwidth, atomics}},
        {"micro/one_store", {launch}, {atomics, divergence}},
        {"micro/pointer_chase_256MB", {memory_latency, launch}, {compute, atomics}},
        {"micro/copy_persistent_1block", {launch, memory_latency}, {uncoalesced_access, compute}},
        {"micro/copy_block32", {launch}, {uncoalesced_access, compute, atomics}},
    };
    for (const Case& expected : cases) {
        const auto hypotheses = diagnose(inputs_of(expected.kernel));
        ASSERT_FALSE(hypotheses.empty()) << expected.kernel;
        std::string found;
        for (const Hypothesis& h : hypotheses) found += std::string(name_of(h.bottleneck)) + " " + std::to_string(h.weight) + "\n";
        EXPECT_THAT(expected.first, testing::Contains(hypotheses.front().bottleneck)) << expected.kernel << "\n" << found;
        for (const Bottleneck bottleneck : expected.absent) {
            EXPECT_EQ(weight_of(hypotheses, bottleneck), 0) << expected.kernel << " " << name_of(bottleneck) << "\n" << found;
        }
    }
}

TEST(Diagnosis, FindsTheSecondCauseBelowTheFirst) {
    EXPECT_GT(weight_of(diagnose(inputs_of("softmax/thread_row")), Bottleneck::uncoalesced_access), 0.3);
    EXPECT_GT(weight_of(diagnose(inputs_of("softmax/thread_row")), Bottleneck::launch), 0.4);  // 64 blocks for 132 multiprocessors
    EXPECT_GT(weight_of(diagnose(inputs_of("micro/diverge32")), Bottleneck::divergence), 0.5);
    EXPECT_GT(weight_of(diagnose(inputs_of("relu/naive")), Bottleneck::memory_bandwidth), 0.5);
}

TEST(Diagnosis, WeightsAreSharesAndSorted) {
    for (const Recording& recording : kRecordings) {
        const auto hypotheses = diagnose(inputs_of(recording.name));
        double last = 1;
        for (const Hypothesis& hypothesis : hypotheses) {
            EXPECT_LE(hypothesis.weight, last) << recording.name;
            EXPECT_GE(hypothesis.weight, 0.05) << recording.name;
            EXPECT_FALSE(hypothesis.statement.empty());
            EXPECT_FALSE(hypothesis.evidence.empty());
            last = hypothesis.weight;
        }
    }
}

TEST(Diagnosis, TermsOfTheTimeModelComeBeforeUtilisation) {
    Inputs inputs = inputs_of("relu/float4");
    inputs.counters["model_term__dram_ms"] = 0.1 * inputs.time_ms;
    inputs.counters["model_term__l2_ms"] = 0;
    inputs.counters["model_term__contention_ms"] = 0.9 * inputs.time_ms;
    inputs.counters["l1tex__t_requests_pipe_lsu_mem_global_op_red.sum"] = 1000;
    const auto hypotheses = diagnose(inputs);
    EXPECT_EQ(hypotheses.front().bottleneck, Bottleneck::atomics);
    EXPECT_NEAR(hypotheses.front().weight, 0.9, 1e-9);
    EXPECT_NEAR(weight_of(hypotheses, Bottleneck::memory_bandwidth), 0.1, 1e-9);
}

TEST(Diagnosis, IdealSectorsTellWideAccessFromWaste) {
    Inputs inputs = inputs_of("transpose/naive");
    inputs.counters["memory_l2_theoretical_sectors_global"] = 100;
    inputs.counters["memory_l2_theoretical_sectors_global_ideal"] = 100;
    EXPECT_EQ(weight_of(diagnose(inputs), Bottleneck::uncoalesced_access), 0);
    inputs.counters["memory_l2_theoretical_sectors_global_ideal"] = 25;
    EXPECT_GT(weight_of(diagnose(inputs), Bottleneck::uncoalesced_access), 0.4);
}

TEST(Diagnosis, EvidenceNamesTheLineThatCountsMost) {
    Inputs inputs = inputs_of("transpose/naive");
    const std::string stores = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum";
    inputs.lines = {{"t.cu", 7, {{stores, 10}}}, {"t.cu", 9, {{stores, 500}}}, {"t.cu", 11, {{stores, 20}}}};
    for (const Hypothesis& hypothesis : diagnose(inputs)) {
        if (hypothesis.bottleneck != Bottleneck::uncoalesced_access) continue;
        const auto stored = std::find_if(hypothesis.evidence.begin(), hypothesis.evidence.end(),
                                         [](const Evidence& evidence) { return evidence.value == 32; });
        ASSERT_NE(stored, hypothesis.evidence.end());
        EXPECT_EQ(stored->line, 9u);
        EXPECT_EQ(stored->file, "t.cu");
        return;
    }
    FAIL() << "no uncoalesced access found";
}

// Of a kernel whose sectors are local memory by half.
Inputs local_inputs(double spill_bytes, double stack_bytes) {
    Inputs inputs;
    inputs.time_ms = 1;
    inputs.ceilings = {{"clock_ghz", 1.98}, {"sm_count", 132}};
    inputs.counters = {{"model_term__l1_ms", 0.8},
                       {"model_term__latency_ms", 0.2},
                       {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 1000},
                       {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", 1000},
                       {"ptxas__spill_store_bytes", spill_bytes},
                       {"ptxas__spill_load_bytes", spill_bytes},
                       {"ptxas__stack_bytes", stack_bytes}};
    inputs.lines = {{"k.cu", 4, {{"l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", 900}}}};
    return inputs;
}

TEST(Diagnosis, TellsArraysInLocalMemoryFromSpills) {
    const auto arrays = diagnose(local_inputs(0, 256));
    EXPECT_NEAR(weight_of(arrays, Bottleneck::local_memory), 0.4, 1e-9);
    EXPECT_EQ(weight_of(arrays, Bottleneck::registers), 0);
    const auto spilled = diagnose(local_inputs(64, 64));
    EXPECT_NEAR(weight_of(spilled, Bottleneck::registers), 0.4, 1e-9);
    EXPECT_EQ(weight_of(spilled, Bottleneck::local_memory), 0);
    Inputs both = local_inputs(64, 320);
    both.counters["model__spilled_sectors.sum"] = 250;
    EXPECT_NEAR(weight_of(diagnose(both), Bottleneck::registers), 0.1, 1e-9);
    EXPECT_NEAR(weight_of(diagnose(both), Bottleneck::local_memory), 0.3, 1e-9);
    Inputs unknown = local_inputs(0, 256);
    unknown.counters.erase("ptxas__spill_store_bytes");
    const auto either = diagnose(unknown);
    EXPECT_NEAR(weight_of(either, Bottleneck::registers), 0.4, 1e-9);
    EXPECT_TRUE(std::any_of(either.begin(), either.end(), [](const Hypothesis& hypothesis) {
        return hypothesis.statement.find("spills or arrays indexed at run time") != std::string::npos;
    }));
}

TEST(Bottleneck, NamesAreTheirOwn) {
    EXPECT_EQ(name_of(Bottleneck::memory_bandwidth), "memory_bandwidth");
    EXPECT_EQ(name_of(Bottleneck::launch), "launch");
    EXPECT_EQ(bottleneck_named("atomics"), Bottleneck::atomics);
    EXPECT_EQ(bottleneck_named("magic"), std::nullopt);
    EXPECT_EQ(name_of(Bottleneck::local_memory), "local_memory");
}

TEST(Diagnosis, NothingIsSaidOfNothing) {
    EXPECT_TRUE(diagnose({}).empty());
    EXPECT_TRUE(diagnose({{}, {}, {}, 1.0}).empty());
}

TEST(Roofline, OfAMemoryBoundKernel) {
    const auto roofline = roofline_of(inputs_of("relu/float4"));
    ASSERT_TRUE(roofline);
    EXPECT_TRUE(roofline->memory_bound);
    EXPECT_EQ(roofline->intensity, 0);
    EXPECT_NEAR(roofline->speed_of_light, 1, 0.03);  // 2.1 GB in 0.4994 ms against 4,275 GB/s
}

TEST(Roofline, OfAComputeBoundKernel) {
    const auto roofline = roofline_of(inputs_of("micro/fma8"));
    ASSERT_TRUE(roofline);
    EXPECT_FALSE(roofline->memory_bound);
    EXPECT_NEAR(roofline->giga_operations / 1000, 64.2, 1);  // the card's ceiling in TFLOP/s
    EXPECT_NEAR(roofline->speed_of_light, 0.95, 0.02);
}

TEST(Roofline, NeedsCeilings) { EXPECT_FALSE(roofline_of({{}, {}, {}, 1.0})); }

}  // namespace
}  // namespace optiml::diagnosis
