#include "evaluation/large_checks.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "evaluation/large_sizes.h"
#include "evaluation/locate.h"
#include "evaluation/parameter_flow.h"
#include "evaluation/sampled_run.h"
#include "evaluation/tolerance.h"

namespace optiml::evaluation {
namespace {

using Window = LargeChecks::Window;

constexpr std::uint64_t kWindowElements = 4096;
// Thread instructions a launch is sampled with. Candidates whose blocks do more than the original's get more.
constexpr double kOriginalInstructions = 1e7;
constexpr double kCandidateInstructions = 4e7;

InputChoice choice_of(const VerificationContext& context, const task::Sizes& sizes) {
    return {sizes, task::ValuePattern::declared, context.seed, false};
}

// Whether any kernel adds to a buffer with atomics, so that a few blocks leave a part of the result only.
bool accumulates(const Build& build, const task::ResolvedPlan& plan, std::size_t buffer) {
    for (const task::ResolvedStep& step : plan.steps) {
        if (step.is_clear && step.buffer == buffer) return true;
        for (std::uint32_t i = 0; i < step.arguments.size(); ++i) {
            if (!step.arguments[i].is_buffer || step.arguments[i].buffer != buffer) continue;
            const ptx::Function* kernel = build.module->find_kernel(build.find(step.kernel)->lowered_name);
            if (ParameterFlow(*kernel).has_atomics(i)) return true;
        }
    }
    return false;
}

std::vector<Window> read_windows(const task::ResolvedPlan& plan, const Workspace& workspace, std::size_t buffer) {
    std::vector<Window> windows;
    const task::ResolvedBuffer& result = plan.buffers[buffer];
    const std::uint32_t size = task::bytes_of(result.type);
    for (const std::uint64_t element : marked_elements(result.elements)) {
        Window window{buffer, element - std::min(element, kWindowElements / 2), {}, {}, {}};
        const std::uint64_t count = std::min(kWindowElements, result.elements - window.first);
        std::vector<std::uint8_t> bytes(count * size);
        workspace.memory.read(workspace.buffers[buffer], window.first * size, bytes.data(), bytes.size());
        const auto unwritten = workspace.memory.uninitialized(workspace.buffers[buffer], window.first * size, bytes.size());
        for (std::uint64_t i = 0; i < count; ++i) {
            window.written.push_back(unwritten[i * size] == 0);
            window.value.push_back(task::load_float(result.type, bytes.data() + i * size));
        }
        windows.push_back(std::move(window));
    }
    return windows;
}

// The exact values of a window, from the shadow of the original's run.
struct ExactWindow {
    std::vector<double> high, low;
};

ExactWindow read_exact(task::ScalarType type, const Workspace& workspace, const Window& window) {
    const std::size_t count = window.value.size();
    ExactWindow exact{window.value, std::vector<double>(count)};
    if (task::is_float(type) && task::bytes_of(type) >= 4) {
        workspace.memory.read_shadow(workspace.buffers[window.buffer], window.first, count, exact.high.data(), exact.low.data());
    }
    return exact;
}

// From the original's own error and from what moving its inputs to their neighbours does, as in tolerance.h.
void set_bounds(const VerificationContext& context, task::ScalarType type, const Workspace& workspace, const Workspace& moved, Window& window) {
    const std::size_t count = window.value.size();
    window.bound.assign(count, 0);
    if (!task::is_float(type)) return;
    const ExactWindow exact = read_exact(type, workspace, window), elsewhere = read_exact(type, moved, window);
    ErrorEvidence evidence;
    std::vector<double> own(count);
    for (std::size_t i = 0; i < count; ++i) {
        const bool says_something = window.written[i] && std::isfinite(window.value[i]) && std::isfinite(exact.high[i]);
        own[i] = std::fabs(distance(window.value[i], exact.high[i], exact.low[i]));
        const double movement = std::fabs(distance(elsewhere.high[i], exact.high[i], exact.low[i]));
        evidence.magnitude.push_back(says_something ? std::fabs(exact.high[i]) : std::numeric_limits<double>::quiet_NaN());
        evidence.error.push_back(std::isfinite(movement) ? std::max(own[i], movement) : own[i]);
    }
    const auto bounds = bounds_from(evidence, type, context.task->checks.tolerance_factor, 0);
    // Candidates are compared with the original's value, which is off by its own error itself.
    for (std::size_t i = 0; i < count; ++i) window.bound[i] = bounds[i] + (std::isfinite(own[i]) ? own[i] : 0);
}

// The first element that both wrote and that differs, if any.
std::optional<std::uint64_t> first_difference(const Window& original, const Window& candidate) {
    for (std::size_t i = 0; i < original.value.size(); ++i) {
        if (!original.written[i] || !candidate.written[i]) continue;
        const double difference = std::fabs(original.value[i] - candidate.value[i]);
        const bool same = difference <= original.bound[i] || original.value[i] == candidate.value[i] || std::isnan(original.value[i]);
        if (!same) return i;
    }
    return std::nullopt;
}

Finding difference_finding(const Build& build, const task::ResolvedPlan& plan, const Window& original, const Window& candidate, std::uint64_t i) {
    const StorePlace place = last_store(build, plan, original.buffer);
    return {FindingKind::wrong_values,
            fmt::format("element {} of '{}' is {:.9g} instead of {:.9g}", original.first + i, plan.buffers[original.buffer].name, candidate.value[i],
                        original.value[i]),
            build.file, place.line, place.kernel};
}

}  // namespace

void LargeChecks::run_small() {
    const task::Sizes sizes = context_.task->small_sizes();
    auto plan = task::resolve(*context_.task, context_.task->plan, sizes);
    if (!plan) return;
    auto workspace = make_workspace(*context_.task, *plan, choice_of(context_, sizes), *context_.disk);
    if (!workspace) return;
    PlanRunOptions options;
    options.checks = false;
    options.footprints = true;
    options.host_threads = context_.host_threads;
    small_ = run_plan(*context_.original, *plan, *workspace, *context_.device, options).footprints;
    small_plan_ = std::move(*plan);
}

void LargeChecks::prepare(std::int64_t most_elements) {
    const task::Task& task = *context_.task;
    run_small();
    std::vector<task::Sizes> sizes = large_sizes(task, most_elements), others;
    for (const task::Sizes& tried : sizes) {
        if (add_trial(tried) != Sampling::incomplete) continue;
        for (task::Sizes& other : other_shapes(task, most_elements, tried)) {
            if (std::find(sizes.begin(), sizes.end(), other) != sizes.end() || std::find(others.begin(), others.end(), other) != others.end()) continue;
            others.push_back(std::move(other));
        }
    }
    for (const task::Sizes& other : others) add_trial(other);
}

LargeChecks::Sampling LargeChecks::add_trial(const task::Sizes& sizes) {
    const task::Task& task = *context_.task;
    const auto plan = task::resolve(task, task.plan, sizes);
    auto workspace = make_workspace(task, *plan, choice_of(context_, sizes), *context_.disk);
    if (!workspace) return Sampling::left_out;
    SampledRun run = run_sampled(context_, *context_.original, *plan, *workspace, kOriginalInstructions, true, {});
    if (!run.findings.empty() && sizes == task.large_sizes()) {
        for (Finding& finding : run.findings) {
            finding.sizes = sizes;
            finding.pattern = "declared";
            original_findings_.push_back(std::move(finding));
        }
    }
    if (!run.findings.empty()) return Sampling::left_out;
    if (!run.completed) return Sampling::incomplete;
    LargeTrial trial{sizes, {}, {}};
    if (small_plan_) trial.whole = whole_buffers(small_, *small_plan_, run.launches, *plan);
    if (run.single_launch) trial.windows = windows_of(*plan, *workspace, sizes);
    trials_.push_back(std::move(trial));
    return Sampling::kept;
}

std::vector<LargeChecks::Window> LargeChecks::windows_of(const task::ResolvedPlan& plan, const Workspace& workspace, const task::Sizes& sizes) const {
    InputChoice moved_choice = choice_of(context_, sizes);
    moved_choice.perturbed = true;
    auto moved = make_workspace(*context_.task, plan, moved_choice, *context_.disk);
    if (!moved) return {};
    run_sampled(context_, *context_.original, plan, *moved, kOriginalInstructions, true, {});
    std::vector<Window> windows;
    for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
        // What was there before cannot be told from what was written.
        if (plan.buffers[i].role != task::Role::output || plan.buffers[i].is_scratch || accumulates(*context_.original, plan, i)) continue;
        for (Window& window : read_windows(plan, workspace, i)) {
            set_bounds(context_, plan.buffers[i].type, workspace, *moved, window);
            windows.push_back(std::move(window));
        }
    }
    return windows;
}

std::vector<Finding> LargeChecks::check(const LargeTrial& trial, const Build& build, const task::Candidate& candidate, const Deadline& deadline) const {
    const auto plan = task::resolve(*context_.task, candidate.plan, trial.sizes);
    if (!plan) return {{FindingKind::launch, plan.error().message, build.file}};
    auto workspace = make_workspace(*context_.task, *plan, choice_of(context_, trial.sizes), *context_.disk);
    if (!workspace) return {};
    SampledRun run = run_sampled(context_, build, *plan, *workspace, kCandidateInstructions, false, deadline);
    if (!run.findings.empty()) return std::move(run.findings);
    for (const Window& original : trial.windows) {
        if (!run.single_launch || accumulates(build, *plan, original.buffer)) break;
        for (const Window& window : read_windows(*plan, *workspace, original.buffer)) {
            if (window.first != original.first) continue;
            if (const auto i = first_difference(original, window)) return {difference_finding(build, *plan, original, window, *i)};
        }
    }
    if (!run.completed) return {};
    auto left_out = CoverageCheck(context_, build, candidate, *plan, *workspace, run, deadline).find(trial.whole);
    return left_out ? std::vector{std::move(*left_out)} : std::vector<Finding>{};
}

std::vector<Finding> LargeChecks::check(const Build& build, const task::Candidate& candidate, const Deadline& deadline) const {
    for (const LargeTrial& trial : trials_) {
        std::vector<Finding> findings = check(trial, build, candidate, deadline);
        for (Finding& finding : findings) {
            finding.sizes = trial.sizes;
            finding.pattern = "declared";
        }
        if (!findings.empty()) return findings;
    }
    return {};
}

}  // namespace optiml::evaluation
