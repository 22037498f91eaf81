#include <algorithm>

#include <fmt/format.h>

#include "diagnosis/rules.h"

namespace optiml::diagnosis {

std::optional<Hypothesis> memory_bandwidth(const Figures& figures) {
    const double dram = figures.share("dram");
    const double l2 = figures.share("l2");
    const bool is_dram = dram >= l2;
    // Bytes moved for nothing, or for spills, are told by the rules for those.
    const double weight = std::max(dram, l2) * (1 - figures.excess_sectors()) * (1 - figures.local_sectors());
    Hypothesis hypothesis{Bottleneck::memory_bandwidth, weight, {}, {}};
    hypothesis.statement =
        fmt::format("{} moves bytes for {:.0f} % of the time.", is_dram ? "DRAM" : "The L2 cache", 100 * std::max(dram, l2));
    if (const auto rate = figures.dram_gigabytes_per_second()) {
        hypothesis.evidence.push_back(figures.evidence("dram__bytes.sum.per_second", *rate,
                                                       fmt::format("GB/s of {:.0f}", figures.ceiling("dram_gb_per_s").value_or(0)),
                                                       "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"));
    }
    hypothesis.evidence.push_back(figures.evidence("model__dram_share", dram, "of the time at full DRAM rate"));
    hypothesis.evidence.push_back(figures.evidence("model__l2_share", l2, "of the time at full L2 rate"));
    return hypothesis;
}

std::optional<Hypothesis> l1_throughput(const Figures& figures) {
    const double lookups = figures.share("l1"), units = figures.share("lsu");
    // Sectors moved for nothing, spills and bank conflicts are told by the rules for those.
    const double weight =
        std::max(lookups, units) * (1 - figures.excess_sectors()) * (1 - figures.local_sectors()) * (1 - figures.conflict_ratio());
    Hypothesis hypothesis{Bottleneck::l1_throughput, weight, {}, {}};
    hypothesis.statement =
        fmt::format("{} for {:.0f} % of the time.",
                    units > lookups ? "Loads and stores fill the load-store units" : "Loads and stores keep the L1 cache busy",
                    100 * std::max(lookups, units));
    for (const auto& [counter, meaning] :
         {std::pair{"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "global load requests of a warp"},
          std::pair{"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "global store requests of a warp"},
          std::pair{"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", "wavefronts of shared memory"}}) {
        const double value = figures.counter_or_zero(counter);
        if (value > 0) hypothesis.evidence.push_back(figures.evidence(counter, value, meaning));
    }
    return hypothesis;
}

std::optional<Hypothesis> uncoalesced_access(const Figures& figures) {
    const double excess = figures.excess_sectors();
    if (excess <= 0) return std::nullopt;
    // Sectors that nobody asked for cost at every level they pass, and as misses they also cost latency.
    Hypothesis hypothesis{
        Bottleneck::uncoalesced_access, excess * std::max(figures.memory_share(), figures.share("latency")), {}, {}};
    hypothesis.statement = fmt::format("{:.0f} % of the sectors moved hold nothing that the request asked for.", 100 * excess);
    for (const auto& [operation, word] : {std::pair{"ld", "load"}, std::pair{"st", "store"}}) {
        const auto sectors = figures.sectors_per_request(operation);
        if (!sectors) continue;
        hypothesis.evidence.push_back(
            figures.evidence(fmt::format("l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_{}.ratio", operation),
                             *sectors, fmt::format("sectors a {} request; 4 where a warp {}s 32 neighbouring floats", word, word),
                             fmt::format("l1tex__t_sectors_pipe_lsu_mem_global_op_{}.sum", operation)));
    }
    return hypothesis;
}

std::optional<Hypothesis> memory_latency(const Figures& figures) {
    Hypothesis hypothesis{Bottleneck::memory_latency, figures.share("latency"), {}, {}};
    hypothesis.statement =
        fmt::format("Warps wait for memory for {:.0f} % of the time with nothing else to do.", 100 * hypothesis.weight);
    if (const auto stalled = figures.counter("smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio")) {
        hypothesis.evidence.push_back(figures.evidence("smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio",
                                                       *stalled, "warps waiting for memory an instruction issued"));
    }
    if (const auto occupancy = figures.occupancy()) {
        hypothesis.evidence.push_back(figures.evidence("sm__warps_active.avg.pct_of_peak_sustained_active", 100 * *occupancy,
                                                       "% of the warps that could be resident",
                                                       "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"));
    }
    return hypothesis;
}

std::optional<Hypothesis> shared_memory(const Figures& figures) {
    const double conflicts = figures.conflict_ratio();
    const double bound = figures.share("l1");
    if (conflicts <= 0) return std::nullopt;
    Hypothesis hypothesis{Bottleneck::shared_memory, conflicts * bound, {}, {}};
    hypothesis.statement = fmt::format("{:.0f} % of the shared memory wavefronts are repeats for bank conflicts.", 100 * conflicts);
    const char* counter = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum";
    hypothesis.evidence.push_back(figures.evidence(counter, figures.counter_or_zero(counter), "extra wavefronts"));
    return hypothesis;
}

std::optional<Hypothesis> atomics(const Figures& figures) {
    const double requests = figures.counter_or_zero("l1tex__t_requests_pipe_lsu_mem_global_op_red.sum") +
                            figures.counter_or_zero("l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum");
    if (requests <= 0) return std::nullopt;
    Hypothesis hypothesis{Bottleneck::atomics, figures.share("atomics"), {}, {}};
    hypothesis.statement = "Atomics on the same addresses queue behind one another.";
    hypothesis.evidence.push_back(figures.evidence("l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", requests,
                                                   "atomic requests of a warp",
                                                   "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum"));
    return hypothesis;
}

}  // namespace optiml::diagnosis
