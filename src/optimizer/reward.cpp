#include "optimizer/reward.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace optiml::optimizer {
namespace {

using evaluation::Evaluation;

double counter(const Evaluation& evaluation, const char* name) {
    const auto found = evaluation.profile->counters.find(name);
    return found == evaluation.profile->counters.end() ? 0 : found->second;
}

double sum(const Evaluation& evaluation, std::initializer_list<const char*> names) {
    double total = 0;
    for (const char* name : names) total += counter(evaluation, name);
    return total;
}

struct Proxy {
    const char* name;
    double RewardWeights::* weight;
    const char* term;                             // of the time model: the resource that it stands for
    const char* busy;                             // per cent, measured: the same of a card; null: not among the cheap counters
    std::initializer_list<const char*> counters;  // their sum
};

const Proxy kProxies[] = {
    {"DRAM bytes", &RewardWeights::dram_bytes, "model_term__dram_ms", "dram__throughput.avg.pct_of_peak_sustained_elapsed", {"dram__bytes_read.sum", "dram__bytes_write.sum"}},
    {"L1 sectors",
     &RewardWeights::l1_sectors,
     "model_term__l1_ms",
     nullptr,
     {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
      "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum"}},
    {"instructions", &RewardWeights::instructions, "model_term__issue_ms", "smsp__issue_active.avg.pct_of_peak_sustained_active", {"smsp__inst_executed.sum"}},
    {"shared memory wavefronts",
     &RewardWeights::shared_wavefronts,
     "model_term__l1_ms",  // one data path serves L1 and shared memory
     nullptr,
     {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"}},
};

// ln(before / after), at most 2 either way: a counter that vanishes must not outweigh the time.
double log_ratio(double before, double after) {
    constexpr double kMost = 2;
    if (before <= 0 && after <= 0) return 0;
    if (before <= 0) return -kMost;
    if (after <= 0) return kMost;
    return std::clamp(std::log(before / after), -kMost, kMost);
}

// Of the original's time, during which the proxy's resource is at work.
double share_of(const Proxy& proxy, const Evaluation& original) {
    const bool measured = original.profile->source == evaluation::Source::measured;
    if (!measured) return std::clamp(counter(original, proxy.term) / original.timing->cold_ms, 0.0, 1.0);
    return proxy.busy == nullptr ? 0 : std::clamp(counter(original, proxy.busy) / 100, 0.0, 1.0);
}

double part_of(const Proxy& proxy, const Evaluation& original, const Evaluation& candidate, const RewardWeights& weights) {
    const double share = share_of(proxy, original);
    return weights.*proxy.weight * share * log_ratio(sum(original, proxy.counters), sum(candidate, proxy.counters));
}

double spilled_bytes(const Evaluation& evaluation) {
    double bytes = 0;
    for (const evaluation::KernelBuild& kernel : evaluation.kernels) {
        bytes = std::max(bytes, static_cast<double>(kernel.spill_store_bytes) + kernel.spill_load_bytes);
    }
    return bytes;
}

double lost_occupancy(const Evaluation& original, const Evaluation& candidate) {
    const char* name = "sm__maximum_warps_per_active_cycle_pct";
    return std::max(0.0, log_ratio(counter(original, name), counter(candidate, name)));
}

}  // namespace

report::NamedNumbers named(const RewardWeights& weights) {
    report::NamedNumbers numbers = {{"speed-up", weights.speedup}};
    for (const Proxy& proxy : kProxies) numbers.emplace_back(proxy.name, weights.*proxy.weight);
    numbers.emplace_back("occupancy lost", weights.lost_occupancy);
    numbers.emplace_back("bytes spilled", weights.spilled_bytes);
    numbers.emplace_back("edits", weights.edit);
    return numbers;
}

Reward reward_of(const Evaluation& original, const Evaluation& candidate, std::size_t edits, const RewardWeights& weights) {
    Reward reward;
    const double log_speedup = std::log(speedup_of(original, candidate));
    const double edit_cost = weights.edit * static_cast<double>(edits);
    reward.parts.emplace_back("speed-up", weights.speedup * log_speedup);
    for (const Proxy& proxy : kProxies) reward.parts.emplace_back(proxy.name, part_of(proxy, original, candidate, weights));
    reward.parts.emplace_back("occupancy lost", -weights.lost_occupancy * lost_occupancy(original, candidate));
    const double spilled = std::max(0.0, spilled_bytes(candidate) - spilled_bytes(original));
    reward.parts.emplace_back("bytes spilled", -weights.spilled_bytes * std::log1p(spilled));
    reward.parts.emplace_back("edits", -edit_cost);
    for (const auto& [name, part] : reward.parts) reward.total += part;
    reward.value = log_speedup - edit_cost;
    if (!is_certain(*candidate.timing)) reward.value = std::min(reward.value, 0.0);  // perhaps only noise: no improvement
    return reward;
}

}  // namespace optiml::optimizer
