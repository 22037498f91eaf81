#include <algorithm>

#include <fmt/format.h>

#include "diagnosis/rules.h"

namespace optiml::diagnosis {
namespace {

struct PipeShare {
    const char* resource;
    const char* counter;
    const char* title;
};
constexpr PipeShare kPipes[] = {
    {"fma", "sm__inst_executed_pipe_fma.sum", "multiply-add"},
    {"alu", "sm__inst_executed_pipe_alu.sum", "integer and logic"},
    {"xu", "sm__inst_executed_pipe_xu.sum", "special function"},
    {"fp64", "sm__inst_executed_pipe_fp64.sum", "double precision"},
    {"tensor", "sm__inst_executed_pipe_tensor.sum", "tensor"},
};

struct Limit {
    const char* counter;
    double blocks;
};

// The resource that keeps the number of resident blocks lowest, where it is not the warps themselves.
std::optional<Limit> tightest_limit(const Figures& figures) {
    std::optional<Limit> tightest;
    for (const char* counter : {"launch__occupancy_limit_warps", "launch__occupancy_limit_registers",
                                "launch__occupancy_limit_shared_mem", "launch__occupancy_limit_blocks"}) {
        const auto blocks = figures.counter(counter);
        if (blocks && (!tightest || *blocks < tightest->blocks)) tightest = Limit{counter, *blocks};
    }
    return tightest;
}

double latency_and_launch(const Figures& figures) { return std::max(figures.share("latency"), figures.share("blocks")); }

}  // namespace

std::optional<Hypothesis> compute(const Figures& figures) {
    const PipeShare* busiest = &kPipes[0];
    for (const PipeShare& pipe : kPipes) {
        if (figures.has_implicit_double() && std::string_view(pipe.resource) == "fp64") continue;  // told by a rule of its own
        if (figures.share(pipe.resource) > figures.share(busiest->resource)) busiest = &pipe;
    }
    Hypothesis hypothesis{Bottleneck::compute, figures.share(busiest->resource), {}, {}};
    hypothesis.statement = fmt::format("The {} pipe is busy for {:.0f} % of the time.", busiest->title, 100 * hypothesis.weight);
    hypothesis.evidence.push_back(figures.evidence(busiest->counter, figures.counter_or_zero(busiest->counter), "warp instructions",
                                                   "smsp__inst_executed.sum"));
    return hypothesis;
}

std::optional<Hypothesis> instruction_issue(const Figures& figures) {
    Hypothesis hypothesis{Bottleneck::instruction_issue, figures.share("issue"), {}, {}};
    hypothesis.statement = fmt::format("Instructions fill the issue slots for {:.0f} % of the time.", 100 * hypothesis.weight);
    const char* counter = "smsp__inst_executed.sum";
    hypothesis.evidence.push_back(figures.evidence(counter, figures.counter_or_zero(counter), "warp instructions"));
    return hypothesis;
}

std::optional<Hypothesis> occupancy(const Figures& figures) {
    const auto resident = figures.occupancy();
    if (!resident) return std::nullopt;
    Hypothesis hypothesis{Bottleneck::occupancy, (1 - *resident) * latency_and_launch(figures), {}, {}};
    hypothesis.statement = fmt::format("Only {:.0f} % of the warps that fit are resident to hide latency.", 100 * *resident);
    hypothesis.evidence.push_back(
        figures.evidence("sm__warps_active.avg.pct_of_peak_sustained_active", 100 * *resident, "% of the warps that could be resident"));
    if (const auto limit = tightest_limit(figures)) {
        hypothesis.evidence.push_back(figures.evidence(limit->counter, limit->blocks, "blocks a multiprocessor, the tightest limit"));
    }
    return hypothesis;
}

std::optional<Hypothesis> implicit_double(const Figures& figures) {
    if (!figures.has_implicit_double()) return std::nullopt;
    Hypothesis hypothesis{Bottleneck::compute, figures.share("fp64"), {}, {}};
    hypothesis.statement = fmt::format(
        "Double precision takes {:.0f} % of the time, though no argument is an f64: a constant such as 2.0 for 2.0f makes a "
        "whole expression double.",
        100 * hypothesis.weight);
    const char* counter = "sm__inst_executed_pipe_fp64.sum";
    hypothesis.evidence.push_back(
        figures.evidence(counter, figures.counter_or_zero(counter), "warp instructions in double precision"));
    return hypothesis;
}

namespace {

constexpr const char* kLocalLoads = "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum";

double weight_of_local(const Figures& figures, double share) {
    return share * std::max(figures.memory_share(), figures.share("latency"));
}

// What the compiler had no registers for. Without its figures nobody can tell that from arrays.
Hypothesis spills(const Figures& figures) {
    const auto spilled = figures.spilled_sectors();
    const double share = figures.local_sectors() * spilled.value_or(1);
    Hypothesis hypothesis{Bottleneck::registers, weight_of_local(figures, share), {}, {}};
    hypothesis.statement =
        fmt::format("{:.0f} % of the memory sectors are {}.", 100 * share,
                    spilled ? "registers spilled to local memory" : "local memory: spills or arrays indexed at run time");
    hypothesis.evidence.push_back(
        figures.evidence(kLocalLoads, figures.counter_or_zero(kLocalLoads), "sectors of local memory read"));
    for (const auto& [counter, meaning] : {std::pair{"ptxas__spill_store_bytes", "bytes a thread that the code spills"},
                                           std::pair{"ptxas__spill_load_bytes", "bytes a thread that the code loads back"},
                                           std::pair{"launch__registers_per_thread", "registers a thread"}}) {
        if (const auto value = figures.counter(counter)) hypothesis.evidence.push_back(figures.evidence(counter, *value, meaning));
    }
    return hypothesis;
}

}  // namespace

std::optional<Hypothesis> local_memory(const Figures& figures) {
    const auto spilled = figures.spilled_sectors();
    const double share = figures.local_sectors() * (1 - spilled.value_or(1));
    if (share <= 0) return std::nullopt;
    Hypothesis hypothesis{Bottleneck::local_memory, weight_of_local(figures, share), {}, {}};
    hypothesis.statement = fmt::format(
        "{:.0f} % of the memory sectors are arrays of single threads, which lie in local memory because they are indexed at run "
        "time.",
        100 * share);
    hypothesis.evidence.push_back(
        figures.evidence(kLocalLoads, figures.counter_or_zero(kLocalLoads), "sectors of local memory read"));
    hypothesis.evidence.push_back(figures.evidence("ptxas__stack_bytes", figures.counter_or_zero("ptxas__stack_bytes"),
                                                   "bytes a thread: registers would hold them if the loop that indexes them were "
                                                   "unrolled whole; else shared memory may, or constant "
                                                   "memory if they are never written",
                                                   kLocalLoads));
    return hypothesis;
}

std::optional<Hypothesis> registers(const Figures& figures) {
    Hypothesis hypothesis{Bottleneck::registers, 0, {}, {}};
    if (figures.local_sectors() * figures.spilled_sectors().value_or(1) > 0) return spills(figures);
    const auto limit = tightest_limit(figures);
    const auto resident = figures.occupancy();
    if (!limit || !resident || std::string_view(limit->counter) != "launch__occupancy_limit_registers") return std::nullopt;
    hypothesis.weight = (1 - *resident) * figures.share("latency");
    hypothesis.statement = fmt::format("Registers let only {:.0f} blocks be resident on a multiprocessor.", limit->blocks);
    hypothesis.evidence.push_back(figures.evidence("launch__registers_per_thread",
                                                   figures.counter_or_zero("launch__registers_per_thread"), "registers a thread"));
    return hypothesis;
}

std::optional<Hypothesis> divergence(const Figures& figures) {
    const double inactive = figures.inactive_lanes();
    const double bound = std::max({figures.share("issue"), figures.share("fma"), figures.share("alu"), figures.share("xu"),
                                   figures.share("fp64")});
    Hypothesis hypothesis{Bottleneck::divergence, inactive * bound, {}, {}};
    hypothesis.statement = fmt::format("{:.0f} % of the lanes are switched off in an average instruction.", 100 * inactive);
    const char* counter = "smsp__thread_inst_executed_per_inst_executed.ratio";
    hypothesis.evidence.push_back(figures.evidence(counter, figures.counter_or_zero(counter), "threads an instruction, of 32",
                                                   "smsp__sass_branch_targets_threads_divergent.sum"));
    return hypothesis;
}

std::optional<Hypothesis> launch(const Figures& figures) {
    const double overhead = figures.share("launch");
    const double blocks = figures.share("blocks");
    // A grid that leaves multiprocessors idle would take that share less time if it filled them, whatever binds each block.
    const double idle = 1 - figures.busy_multiprocessors().value_or(1);
    Hypothesis hypothesis{Bottleneck::launch, std::max({overhead, blocks, idle}), {}, {}};
    const bool is_idle = idle >= std::max(overhead, blocks);
    const double grid = (is_idle ? figures.blocks_of_idlest() : figures.blocks()).value_or(0);
    const bool several = figures.launches() > 1;
    if (is_idle) {
        hypothesis.statement = fmt::format("{}{:.0f} blocks leave {:.0f} % of the multiprocessors without work{}.", several ? "Grids such as one of " : "", grid,
                                           100 * idle, several ? ", on average over the time" : "");
    } else if (overhead >= blocks) {
        hypothesis.statement = fmt::format("{} {:.0f} % of the time.", several ? fmt::format("{:.0f} launches take", figures.launches()) : "Launching takes", 100 * overhead);
    } else {
        hypothesis.statement = fmt::format("Starting and ending {:.0f} blocks takes {:.0f} % of the time.", grid, 100 * blocks);
    }
    hypothesis.evidence.push_back(figures.evidence("launch__grid_size", grid, !several ? "blocks" : is_idle ? "blocks of one launch" : "blocks of all launches"));
    hypothesis.evidence.push_back(
        figures.evidence("launch__block_size", figures.counter_or_zero("launch__block_size"), "threads a block"));
    return hypothesis;
}

}  // namespace optiml::diagnosis
