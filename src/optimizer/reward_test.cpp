#include "optimizer/reward.h"

#include <cmath>

#include <gtest/gtest.h>

namespace optiml::optimizer {
namespace {

using evaluation::Evaluation;

Evaluation evaluation_of(double ms, std::map<std::string, double> counters) {
    Evaluation evaluation;
    evaluation.accepted = true;
    evaluation.timing = evaluation::Timing{};
    evaluation.timing->cold_ms = ms;
    evaluation.profile = evaluation::Profile{};
    evaluation.profile->counters = std::move(counters);
    evaluation.kernels.resize(1);
    return evaluation;
}

double part(const Reward& reward, const std::string& name) {
    for (const auto& [part_name, value] : reward.parts) {
        if (part_name == name) return value;
    }
    ADD_FAILURE() << "no part " << name;
    return 0;
}

const std::map<std::string, double> kMemoryBound = {{"model_term__dram_ms", 0.8},
                                                    {"model_term__issue_ms", 0},
                                                    {"dram__bytes_read.sum", 300},
                                                    {"dram__bytes_write.sum", 100},
                                                    {"smsp__inst_executed.sum", 1000},
                                                    {"sm__maximum_warps_per_active_cycle_pct", 100}};

TEST(Reward, OfTheOriginalItselfIsZero) {
    const Evaluation original = evaluation_of(1, kMemoryBound);
    const Reward reward = reward_of(original, original, 0, {});
    EXPECT_EQ(reward.total, 0);
    EXPECT_EQ(reward.value, 0);
}

TEST(Reward, IsTheLogSpeedupAndWhatBinds) {
    const Evaluation original = evaluation_of(1, kMemoryBound);
    auto counters = kMemoryBound;
    counters["dram__bytes_read.sum"] = 100;
    counters["smsp__inst_executed.sum"] = 10;  // does not bind: worth nothing
    const RewardWeights weights;
    const Reward reward = reward_of(original, evaluation_of(0.5, counters), 3, weights);
    EXPECT_NEAR(part(reward, "speed-up"), std::log(2), 1e-12);
    EXPECT_NEAR(part(reward, "DRAM bytes"), weights.dram_bytes * 0.8 * std::log(2), 1e-12);
    EXPECT_EQ(part(reward, "instructions"), 0);
    EXPECT_NEAR(part(reward, "edits"), -3 * weights.edit, 1e-12);
    EXPECT_NEAR(reward.value, std::log(2) - 3 * weights.edit, 1e-12);
    EXPECT_NEAR(reward.total, part(reward, "speed-up") + part(reward, "DRAM bytes") + part(reward, "edits"), 1e-12);
}

TEST(Reward, TakesTheSharesOfACardFromItsOwnCounters) {
    const std::map<std::string, double> measured = {{"dram__throughput.avg.pct_of_peak_sustained_elapsed", 80},
                                                    {"smsp__issue_active.avg.pct_of_peak_sustained_active", 0},
                                                    {"dram__bytes_read.sum", 300},
                                                    {"dram__bytes_write.sum", 100},
                                                    {"smsp__inst_executed.sum", 1000}};
    auto less = measured;
    less["dram__bytes_read.sum"] = 100;
    less["smsp__inst_executed.sum"] = 10;
    Evaluation original = evaluation_of(1, measured), candidate = evaluation_of(0.5, less);
    original.profile->source = candidate.profile->source = evaluation::Source::measured;
    candidate.timing->speedup = {1.9, 2.1};
    const RewardWeights weights;
    const Reward reward = reward_of(original, candidate, 1, weights);
    EXPECT_NEAR(part(reward, "DRAM bytes"), weights.dram_bytes * 0.8 * std::log(2), 1e-12);
    EXPECT_EQ(part(reward, "instructions"), 0);
}

TEST(Reward, GuardsOccupancyAndRegisters) {
    const Evaluation original = evaluation_of(1, kMemoryBound);
    auto counters = kMemoryBound;
    counters["sm__maximum_warps_per_active_cycle_pct"] = 25;
    Evaluation spilling = evaluation_of(1, counters);
    spilling.kernels[0].spill_store_bytes = 64;
    const Reward reward = reward_of(original, spilling, 0, {});
    EXPECT_LT(part(reward, "occupancy lost"), -0.05);
    EXPECT_LT(part(reward, "bytes spilled"), -0.05);
    EXPECT_EQ(reward.value, 0);  // guards guide the search; time decides
    EXPECT_EQ(part(reward_of(spilling, original, 0, {}), "occupancy lost"), 0);  // gaining it back is no reward of its own
}

TEST(Reward, AVanishedCounterDoesNotOutweighTheTime) {
    const Evaluation original = evaluation_of(1, kMemoryBound);
    auto counters = kMemoryBound;
    counters["dram__bytes_read.sum"] = counters["dram__bytes_write.sum"] = 0;
    EXPECT_LT(reward_of(original, evaluation_of(2, counters), 0, {}).total, 0);
}

TEST(Reward, WeightsAreNamedAsTheParts) {
    const Evaluation original = evaluation_of(1, kMemoryBound);
    const Reward reward = reward_of(original, original, 0, {});
    const report::NamedNumbers weights = named({});
    ASSERT_EQ(weights.size(), reward.parts.size());
    for (std::size_t i = 0; i < weights.size(); ++i) EXPECT_EQ(weights[i].first, reward.parts[i].first);
}

}  // namespace
}  // namespace optiml::optimizer
