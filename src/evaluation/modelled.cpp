#include "evaluation/modelled.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "emulator/occupancy.h"
#include "emulator/time_model.h"
#include "evaluation/instruction_limits.h"
#include "evaluation/launch_groups.h"
#include "evaluation/plan_profile.h"
#include "evaluation/plan_run.h"

namespace optiml::evaluation {
namespace {

constexpr std::size_t kGroupsAKernel = 12;
constexpr std::uint32_t kMostSampledBlocks = 128;
// A launch may take this many times what was meant for it before it is given up.
constexpr double kPatience = 20;
// Sizes at which sampling takes up to this many times what is meant for it are kept.
constexpr double kAffordable = 3;
// Where blocks wait for others, only the first ones of a grid can run without the rest.
constexpr std::uint64_t kFirstBlocks = 264;

// The workspace for sampling: every buffer holds something, since what earlier launches would have written is not there.
Result<Workspace> make_filled_workspace(const SamplingContext& context, const task::ResolvedPlan& plan, const task::Sizes& sizes) {
    auto workspace = make_workspace(*context.task, plan, {sizes, task::ValuePattern::declared, context.seed}, *context.disk);
    if (!workspace) return workspace;
    for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
        if (plan.buffers[i].role == task::Role::output) workspace->memory.fill(workspace->buffers[i], 0);
    }
    return workspace;
}

class PlanModel {
public:
    PlanModel(const SamplingContext& context, const Build& build, const task::ResolvedPlan& plan, Workspace& workspace)
        : context_(context), build_(build), plan_(plan), workspace_(workspace) {}

    tl::expected<Modelled, Finding> model(const task::Sizes& sizes) {
        bool is_first = true;
        for (const LaunchGroup& group : group_launches(plan_, kGroupsAKernel)) {
            const task::ResolvedStep& step = plan_.steps[group.step];
            if (auto problem = launch_problem(build_, step)) return tl::make_unexpected(finding(step, FindingKind::launch, std::move(*problem)));
            const auto result = sample(step);
            if (!result) return tl::make_unexpected(result.error());
            add(group, *result, is_first);
            is_first = false;
        }
        add_clears();
        add_up(modelled_.profile);
        Timing& timing = modelled_.timing;
        timing.device = "emulated:" + context_.device->name;
        timing.interval = {timing.cold_ms, timing.cold_ms};
        timing.sizes = sizes;
        return std::move(modelled_);
    }

    // The work of one block in the middle of the grid, as far as `limit` thread instructions allow.
    double probe(const task::ResolvedStep& step, double limit) {
        emulator::RunOptions options = options_for({}, limit);
        options.counters = false;
        const std::uint64_t blocks = step.grid[0] * step.grid[1] * step.grid[2];
        options.blocks.kind = emulator::BlockSelection::Kind::list;
        options.blocks.linear_indices = {blocks / 2};
        const auto result = emulator::run(launch_of(build_, step, workspace_), workspace_.memory, *context_.device, options);
        return result ? count(*result) : 0;
    }

private:
    emulator::RunOptions options_for(emulator::BlockSelection blocks, double limit) const {
        emulator::RunOptions options;
        options.checks = false;
        options.blocks = std::move(blocks);
        options.blocks.seed = context_.seed;
        options.host_threads = context_.host_threads;
        // Thread instructions are at most 32 times the warp instructions, and rarely far fewer.
        options.instruction_limit = static_cast<std::uint64_t>(limit) / kMeanActiveLanes + 1000;
        options.deadline = context_.deadline;
        return options;
    }

    double count(const emulator::LaunchResult& result) {
        const auto instructions = static_cast<double>(result.thread_instructions);
        modelled_.thread_instructions += instructions;
        return instructions;
    }

    tl::expected<emulator::LaunchResult, Finding> sample(const task::ResolvedStep& step) {
        const double one_block = std::max(1.0, probe(step, context_.thread_instructions));
        emulator::BlockSelection blocks;
        blocks.kind = emulator::BlockSelection::Kind::sample;
        blocks.sample_count = static_cast<std::uint32_t>(
            std::clamp(context_.thread_instructions / one_block, 1.0, static_cast<double>(kMostSampledBlocks)));
        auto result = run(step, blocks);
        if (result && !result->completed) {
            blocks.kind = emulator::BlockSelection::Kind::list;
            for (std::uint64_t block = 0; block < kFirstBlocks; ++block) blocks.linear_indices.push_back(block);
            result = run(step, blocks);
        }
        if (result && !result->completed) {
            const std::string message = result->findings.empty() ? "stopped" : result->findings.front().message;
            return tl::make_unexpected(finding(step, FindingKind::time_limit, "its time could not be modelled: " + message));
        }
        return result;
    }

    tl::expected<emulator::LaunchResult, Finding> run(const task::ResolvedStep& step, const emulator::BlockSelection& blocks) {
        auto result = emulator::run(launch_of(build_, step, workspace_), workspace_.memory, *context_.device,
                                    options_for(blocks, kPatience * context_.thread_instructions));
        if (!result) return tl::make_unexpected(finding(step, FindingKind::launch, result.error().message));
        for (const emulator::Finding& found : result->findings) {
            if (found.kind == emulator::FindingKind::time_limit) continue;  // tried again with other blocks
            return tl::make_unexpected(finding_of(found, build_, step.kernel));
        }
        count(*result);
        return std::move(*result);
    }

    void add(const LaunchGroup& group, const emulator::LaunchResult& result, bool is_first) {
        const task::ResolvedStep& step = plan_.steps[group.step];
        const emulator::ModelledTime time = emulator::model_time(result.counters, *context_.device);
        const auto repeats = static_cast<double>(group.members.size());
        // Data that the plan's first launch fetches is still in L2, as far as it fits, when the next one begins.
        modelled_.timing.cold_ms += is_first ? time.cold_ms + (repeats - 1) * time.warm_ms : repeats * time.warm_ms;
        modelled_.timing.warm_ms += repeats * time.warm_ms;
        LaunchProfile launch{step.kernel, step.grid, step.block, group.members.size(), is_first ? time.cold_ms : time.warm_ms,
                             result.counters, {}};
        launch.counters.insert(time.terms.begin(), time.terms.end());
        for (const emulator::LineCounters& line : result.lines) launch.lines.push_back({line.file, line.line, line.counters});
        modelled_.profile.launches.push_back(std::move(launch));
    }

    // A memset is a launch that writes its bytes.
    void add_clears() {
        for (const task::ResolvedStep& step : plan_.steps) {
            if (!step.is_clear) continue;
            const task::ResolvedBuffer& buffer = plan_.buffers[step.buffer];
            const double bytes = static_cast<double>(buffer.elements) * task::bytes_of(buffer.type);
            const double rate = context_.device->parameter("dram_gb_per_s") * 1e6;  // bytes a ms
            const double ms = context_.device->parameter("launch_us") * 1e-3 + (rate > 0 ? bytes / rate : 0);
            modelled_.timing.cold_ms += ms;
            modelled_.timing.warm_ms += ms;
        }
    }

    Finding finding(const task::ResolvedStep& step, FindingKind kind, std::string message) const {
        return {kind, std::move(message), build_.file, line_of_kernel(build_.source, step.kernel), step.kernel};
    }

    const SamplingContext& context_;
    const Build& build_;
    const task::ResolvedPlan& plan_;
    Workspace& workspace_;
    Modelled modelled_;
};

// Thread instructions that sampling the plan takes at least: the blocks that one SM holds, of every group of launches.
double sampling_work(const SamplingContext& context, const Build& build, const task::LaunchPlan& plan, const task::Sizes& sizes,
                     double limit) {
    constexpr double impossible = std::numeric_limits<double>::infinity();
    const auto resolved = task::resolve(*context.task, plan, sizes);
    if (!resolved) return impossible;
    auto workspace = make_filled_workspace(context, *resolved, sizes);
    if (!workspace) return impossible;
    PlanModel model(context, build, *resolved, *workspace);
    double work = 0;
    for (const LaunchGroup& group : group_launches(*resolved, kGroupsAKernel)) {
        const task::ResolvedStep& step = resolved->steps[group.step];
        if (launch_problem(build, step)) return impossible;
        const emulator::KernelResources resources = build.resources(step.kernel);
        const auto threads = static_cast<std::uint32_t>(step.block[0] * step.block[1] * step.block[2]);
        const auto shared = resources.static_shared + static_cast<std::uint32_t>(step.dynamic_shared);
        const std::uint64_t resident = emulator::occupancy_of(*context.device, threads, resources.registers, shared).blocks_per_sm;
        const std::uint64_t blocks = step.grid[0] * step.grid[1] * step.grid[2];
        const std::uint64_t on_one_sm = (blocks + context.device->sm_count - 1) / context.device->sm_count;
        work += model.probe(step, limit) * static_cast<double>(std::clamp<std::uint64_t>(on_one_sm, 1, std::max<std::uint64_t>(resident, 1)));
    }
    return work;
}

Finding plan_finding(const Build& build, const Error& error) { return {FindingKind::launch, error.message, build.file}; }

}  // namespace

tl::expected<Modelled, Finding> model_plan(const SamplingContext& context, const Build& build, const task::LaunchPlan& plan,
                                           const task::Sizes& sizes) {
    const auto resolved = task::resolve(*context.task, plan, sizes);
    if (!resolved) return tl::make_unexpected(plan_finding(build, resolved.error()));
    auto workspace = make_filled_workspace(context, *resolved, sizes);
    if (!workspace) return tl::make_unexpected(plan_finding(build, workspace.error()));
    auto modelled = PlanModel(context, build, *resolved, *workspace).model(sizes);
    if (!modelled) modelled.error().sizes = sizes;
    return modelled;
}

task::Sizes affordable_sizes(const SamplingContext& context, const Build& original, const task::LaunchPlan& plan, task::Sizes sizes) {
    const double limit = kAffordable * context.thread_instructions;
    double work = sampling_work(context, original, plan, sizes, limit);
    while (work > limit) {
        std::optional<task::Sizes> best;
        for (const auto& [name, value] : sizes) {
            task::Sizes halved = sizes;
            halved[name] = value / 2;
            if (value < 2 || !task::check_sizes(*context.task, halved)) continue;
            const double halved_work = sampling_work(context, original, plan, halved, limit);
            if (halved_work >= work) continue;
            work = halved_work;
            best = std::move(halved);
        }
        if (!best) break;
        sizes = std::move(*best);
    }
    return sizes;
}

}  // namespace optiml::evaluation
