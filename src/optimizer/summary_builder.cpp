#include "optimizer/summary_builder.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "task/task_writer.h"
#include "transforms/catalogue.h"

namespace optiml::optimizer {
namespace {

constexpr std::size_t kCountersShown = 6;
constexpr double kLeastMove = 0.05;  // of ln(after / before)

// The counters that a step may be explained by.
constexpr const char* kTold[] = {
    "dram__bytes_read.sum",
    "dram__bytes_write.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",
    "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum",
    "l1tex__t_sector_hit_rate.pct",
    "lts__t_sector_hit_rate.pct",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
    "smsp__inst_executed.sum",
    "smsp__thread_inst_executed_per_inst_executed.ratio",
    "sm__maximum_warps_per_active_cycle_pct",
    "launch__grid_size",
    "launch__block_size",
    "launch__registers_per_thread",
    "ptxas__spill_store_bytes",
    "ptxas__spill_load_bytes",
};

double value_of(const std::map<std::string, double>& counters, const char* name) {
    const auto found = counters.find(name);
    return found == counters.end() ? 0 : found->second;
}

double movement(const report::CounterChange& change) {
    if (change.before <= 0 || change.after <= 0) return change.before == change.after ? 0 : INFINITY;
    return std::fabs(std::log(change.after / change.before));
}

// Of the whole plan.
double launches(const evaluation::Profile& profile) {
    double count = 0;
    for (const evaluation::LaunchProfile& launch : profile.launches) count += static_cast<double>(launch.repeats);
    return count;
}

std::vector<report::CounterChange> moved(const evaluation::Evaluation& before, const evaluation::Evaluation& after) {
    std::vector<report::CounterChange> changes;
    const auto tell = [&](const report::CounterChange& change) {
        if (movement(change) >= kLeastMove) changes.push_back(change);
    };
    tell({"launches", launches(*before.profile), launches(*after.profile)});
    const auto counted_before = counters_of(before), counted_after = counters_of(after);
    for (const char* name : kTold) tell({name, value_of(counted_before, name), value_of(counted_after, name)});
    std::stable_sort(changes.begin(), changes.end(), [](const auto& a, const auto& b) { return movement(a) > movement(b); });
    if (changes.size() > kCountersShown) changes.resize(kCountersShown);
    return changes;
}

// The heaviest hypothesis among those that the edit is said to be for: the one it names, else those that its transformation
// relieves.
const diagnosis::Hypothesis* reason_for(const task::Edit& edit, const transforms::Transformation* transformation,
                                        const std::vector<diagnosis::Hypothesis>& hypotheses) {
    for (const diagnosis::Hypothesis& hypothesis : hypotheses) {
        if (!edit.hypothesis.empty()) {
            if (name_of(hypothesis.bottleneck) == edit.hypothesis) return &hypothesis;
            continue;
        }
        if (transformation == nullptr) return nullptr;
        const auto relieved = transformation->relieves();
        if (std::find(relieved.begin(), relieved.end(), hypothesis.bottleneck) != relieved.end()) return &hypothesis;
    }
    return nullptr;
}

report::Step step_of(const KernelState& before, const KernelState& after, const Ceilings& ceilings, bool is_double_meant) {
    const task::Edit& edit = after.candidate.edits.back();
    report::Step step;
    step.transformation = edit.transformation;
    step.parameters = edit.parameters;
    step.site = edit.site;
    const transforms::Transformation* transformation = transforms::find_transformation(edit.transformation);
    if (transformation != nullptr) step.summary = transformation->summary();
    const auto hypotheses = diagnosis::diagnose(diagnosis_inputs(before.evaluation, ceilings, is_double_meant));
    if (const diagnosis::Hypothesis* reason = reason_for(edit, transformation, hypotheses)) {
        step.hypothesis = name_of(reason->bottleneck);
        step.statement = reason->statement;
    }
    step.before_ms = before.evaluation.timing->cold_ms;
    step.after_ms = after.evaluation.timing->cold_ms;
    step.reward = after.reward.total;
    step.moved = moved(before.evaluation, after.evaluation);
    return step;
}

// What one evaluated state says of the transformation that led to it.
void add(report::Tried& tried, const KernelState& before, const KernelState& state, const KernelState& original) {
    ++tried.candidates;
    if (!state.evaluation.accepted || !state.evaluation.timing) {
        ++tried.rejected;
        return;
    }
    const double step = evaluation::speedup_of(before.evaluation, state.evaluation);
    if (step > 1) ++tried.faster;
    tried.best_speedup = std::max(tried.best_speedup, evaluation::speedup_of(original.evaluation, state.evaluation));
    if (step <= tried.best_step) return;
    tried.best_step = step;
    const bool counted = before.evaluation.profile && state.evaluation.profile;
    tried.moved = counted ? moved(before.evaluation, state.evaluation) : std::vector<report::CounterChange>{};
}

bool is_evaluated(const KernelState& state) { return state.evaluation.accepted || !state.evaluation.findings.empty(); }

// By argument, as the task file writes them.
std::map<std::string, std::string> values_of(const task::Task& task) {
    std::map<std::string, std::string> values;
    for (const task::Argument& argument : task.arguments) {
        if (argument.role == task::Role::input || argument.role == task::Role::inout)
            values[argument.name] = task::fill_text(argument.fill);
    }
    return values;
}

void add_tried(const KernelProblem& problem, report::Summary& summary) {
    std::map<std::string, report::Tried> by_name;
    for (search::StateId id = 1; id < problem.state_count(); ++id) {
        const KernelState& state = problem.state(id);
        if (!is_evaluated(state) || state.candidate.edits.empty()) continue;
        if (!state.evaluation.findings.empty()) ++summary.rejections[std::string(name_of(state.evaluation.findings.front().kind))];
        const std::string& name = state.candidate.edits.back().transformation;
        report::Tried& tried = by_name[name];
        tried.transformation = name;
        add(tried, problem.state(state.parent), state, problem.state(0));
    }
    for (auto& [name, tried] : by_name) summary.tried.push_back(std::move(tried));
    std::stable_sort(summary.tried.begin(), summary.tried.end(), [](const auto& a, const auto& b) { return a.best_step > b.best_step; });
}

}  // namespace

void set_times(report::Summary& summary, const evaluation::Timing& timing) {
    summary.original_ms = timing.original_ms;
    summary.best_ms = timing.cold_ms;
    if (timing.warm_ms > 0) summary.best_warm_ms = timing.warm_ms;  // of finalists alone, on a GPU
    summary.interval = timing.speedup;
}

report::Summary summarize(const task::Task& task, const KernelProblem& problem, const std::vector<search::StateId>& path,
                          const Ceilings& ceilings, const RewardWeights& weights) {
    const KernelState& original = problem.state(path.front());
    const KernelState& winner = problem.state(path.back());
    const evaluation::Timing& timing = *winner.evaluation.timing;
    const bool is_double_meant = has_double_arguments(task);
    report::Summary summary;
    summary.task = task.name;
    summary.kernel = task.kernel;
    summary.device = timing.device;
    summary.source = timing.source == evaluation::Source::modelled ? "modelled" : "measured";
    if (original.evaluation.profile) summary.collector = original.evaluation.profile->collector;
    summary.sizes = timing.sizes;
    summary.values = values_of(task);
    summary.original_ms = original.evaluation.timing->cold_ms;
    summary.best_ms = timing.cold_ms;
    summary.best_warm_ms = timing.warm_ms;
    const auto& original_interval = original.evaluation.timing->interval;
    summary.interval = {original_interval[0] / timing.interval[1], original_interval[1] / timing.interval[0]};
    if (timing.original_ms > 0 && path.size() > 1) set_times(summary, timing);
    for (std::size_t i = 1; i < path.size(); ++i) {
        summary.path.push_back(step_of(problem.state(path[i - 1]), problem.state(path[i]), ceilings, is_double_meant));
    }
    add_tried(problem, summary);
    summary.original_hypotheses = diagnosis::diagnose(diagnosis_inputs(original.evaluation, ceilings, is_double_meant));
    summary.best_hypotheses = diagnosis::diagnose(diagnosis_inputs(winner.evaluation, ceilings, is_double_meant));
    summary.weights = named(weights);
    summary.reward_parts = winner.reward.parts;
    summary.original_source = original.candidate.source;
    summary.best_source = winner.candidate.source;
    summary.original_file = std::filesystem::path(task.source_file).filename().string();
    return summary;
}

}  // namespace optiml::optimizer
