#include "evaluation/plan_run.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include <fmt/format.h>

namespace optiml::evaluation {
namespace {

FindingKind kind_of(emulator::FindingKind kind) {
    switch (kind) {
        case emulator::FindingKind::out_of_bounds: return FindingKind::out_of_bounds;
        case emulator::FindingKind::misaligned: return FindingKind::misaligned;
        case emulator::FindingKind::uninitialized: return FindingKind::uninitialized;
        case emulator::FindingKind::race: return FindingKind::race;
        case emulator::FindingKind::barrier: return FindingKind::barrier;
        case emulator::FindingKind::shuffle: return FindingKind::shuffle;
        case emulator::FindingKind::time_limit: return FindingKind::time_limit;
        case emulator::FindingKind::unsupported: return FindingKind::unsupported;
        case emulator::FindingKind::launch:
        case emulator::FindingKind::trap: break;  // the device reports a trap as a failed launch
    }
    return FindingKind::launch;
}

Finding launch_finding(const Build& build, const std::string& kernel, std::string message) {
    Finding finding{FindingKind::launch, std::move(message), build.file, line_of_kernel(build.source, kernel)};
    finding.kernel = kernel;
    return finding;
}

emulator::Dim3 dim3_of(const std::array<std::uint64_t, 3>& extents) {
    return {static_cast<std::uint32_t>(extents[0]), static_cast<std::uint32_t>(extents[1]), static_cast<std::uint32_t>(extents[2])};
}

emulator::RunOptions emulator_options(const PlanRunOptions& options, const task::ResolvedStep& step) {
    emulator::RunOptions result;
    if (const auto share = options.resident_shares.find(step.kernel); share != options.resident_shares.end()) {
        const auto blocks = static_cast<double>(step.grid[0] * step.grid[1] * step.grid[2]);
        result.most_resident = std::max(1u, static_cast<std::uint32_t>(share->second * blocks));
    }
    result.domain = options.domain;
    result.checks = options.checks;
    result.counters = false;
    result.footprints = options.footprints;
    result.blocks = options.blocks;
    result.schedule_seed = options.schedule_seed;
    result.host_threads = options.host_threads;
    result.instruction_limit = options.instruction_limit;
    result.deadline = options.deadline;
    return result;
}

void add_footprints(const std::vector<emulator::BlockFootprint>& blocks, const Workspace& workspace, PlanRun& run) {
    run.footprints.resize(workspace.buffers.size());
    for (const emulator::BlockFootprint& block : blocks) {
        for (std::size_t i = 0; i < workspace.buffers.size(); ++i) {
            run.footprints[i].read += block.buffers[workspace.buffers[i]].read;
            run.footprints[i].written += block.buffers[workspace.buffers[i]].written;
        }
    }
}

std::vector<std::uint8_t> bytes_of(std::uint64_t handle) {
    std::vector<std::uint8_t> bytes(sizeof handle);
    std::memcpy(bytes.data(), &handle, sizeof handle);
    return bytes;
}

}  // namespace

Finding finding_of(const emulator::Finding& found, const Build& build, const std::string& kernel) {
    Finding finding{kind_of(found.kind), found.message, found.file.empty() ? build.file : found.file, found.line, kernel, found.block,
                    found.thread};
    if (finding.kind == FindingKind::launch && finding.line == 0) finding.line = line_of_kernel(build.source, kernel);
    return finding;
}

bool is_empty(const task::ResolvedStep& step) {
    return !step.is_clear && std::find(step.grid.begin(), step.grid.end(), 0u) != step.grid.end();
}

std::optional<std::string> launch_problem(const Build& build, const task::ResolvedStep& step) {
    constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (step.grid[axis] > most) return fmt::format("grid {} is {}", "xyz"[axis], step.grid[axis]);
        if (step.block[axis] > most) return fmt::format("block {} is {}", "xyz"[axis], step.block[axis]);
    }
    if (step.dynamic_shared > most) return fmt::format("{} bytes of dynamic shared memory", step.dynamic_shared);
    const ptx::Function& kernel = *build.module->find_kernel(build.find(step.kernel)->lowered_name);
    if (kernel.parameters.size() != step.arguments.size()) {
        return fmt::format("the kernel has {} parameters, the plan passes {}", kernel.parameters.size(), step.arguments.size());
    }
    for (std::size_t i = 0; i < step.arguments.size(); ++i) {
        const std::size_t bytes = step.arguments[i].is_buffer ? 8 : step.arguments[i].bytes.size();
        if (bytes == kernel.parameters[i].bytes) continue;
        return fmt::format("parameter {} has {} bytes, the plan passes {}", i + 1, kernel.parameters[i].bytes, bytes);
    }
    return std::nullopt;
}

emulator::Launch launch_of(const Build& build, const task::ResolvedStep& step, const Workspace& workspace) {
    emulator::Launch launch;
    launch.module = build.module.get();
    launch.machine_code = build.machine_code.get();
    launch.kernel = build.find(step.kernel)->lowered_name;
    launch.grid = dim3_of(step.grid);
    launch.block = dim3_of(step.block);
    launch.dynamic_shared = static_cast<std::uint32_t>(step.dynamic_shared);
    launch.resources = build.resources(step.kernel);
    for (const task::ResolvedArgument& argument : step.arguments) {
        if (argument.is_buffer && workspace.textures[argument.buffer] != 0) {
            launch.arguments.emplace_back(bytes_of(workspace.textures[argument.buffer]));
        } else if (argument.is_buffer) {
            launch.arguments.emplace_back(emulator::BufferArgument{workspace.buffers[argument.buffer], argument.byte_offset});
        } else {
            launch.arguments.emplace_back(argument.bytes);
        }
    }
    return launch;
}

PlanRun run_plan(const Build& build, const task::ResolvedPlan& plan, Workspace& workspace, const emulator::DeviceModel& device,
                 const PlanRunOptions& options) {
    PlanRun run;
    const auto stop = [&](Finding finding) {
        run.findings.push_back(std::move(finding));
        run.completed = false;
        return run;
    };
    for (const task::ResolvedStep& step : plan.steps) {
        if (step.is_clear) {
            workspace.memory.fill(workspace.buffers[step.buffer], step.clear_value);
            continue;
        }
        if (is_empty(step)) continue;
        if (auto problem = launch_problem(build, step)) return stop(launch_finding(build, step.kernel, std::move(*problem)));
        const auto result = emulator::run(launch_of(build, step, workspace), workspace.memory, device, emulator_options(options, step));
        if (!result) return stop(launch_finding(build, step.kernel, result.error().message));
        run.thread_instructions += result->thread_instructions;
        run.printed += result->printed;
        if (result->blocks_communicate) run.communicating.insert(step.kernel);
        if (options.footprints) add_footprints(result->footprints, workspace, run);
        for (const emulator::Finding& finding : result->findings) {
            run.findings.push_back(finding_of(finding, build, step.kernel));
            run.emulator_findings.push_back(finding);
        }
        run.completed = result->completed;
        if (!run.completed || (options.stop_at_findings && !run.findings.empty())) return run;
    }
    return run;
}

}  // namespace optiml::evaluation
