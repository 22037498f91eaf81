#pragma once
// Runs the steps of a resolved plan on the emulator, one after the other.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "emulator/emulator.h"
#include "evaluation/build.h"
#include "evaluation/evaluation.h"
#include "evaluation/workspace.h"
#include "task/resolved.h"

namespace optiml::evaluation {

struct PlanRunOptions {
    emulator::ValueDomain domain = emulator::ValueDomain::bits;
    bool checks = true;
    std::uint64_t schedule_seed = 0;
    std::uint32_t host_threads = 1;
    std::uint64_t instruction_limit = 0;  // warp instructions a launch; 0: none
    Deadline deadline;
    emulator::BlockSelection blocks;      // of every launch
    bool stop_at_findings = true;         // after the launch that has some
    bool footprints = false;              // add up what every block touches
    // By kernel: the share of its blocks that are resident at once, at least one. Others: as many as the device holds.
    std::map<std::string, double> resident_shares;
};

struct PlanRun {
    std::vector<Finding> findings;   // of all launches, in order; without sizes and pattern
    std::vector<emulator::Finding> emulator_findings;  // the same as the emulator has them, but for launches that cannot be made
    std::string printed;             // by all launches
    bool completed = true;           // every launch ran to its end
    std::uint64_t thread_instructions = 0;
    // By buffer of the plan, over all launches and blocks: what several of them touch counts for each. Empty unless asked for.
    std::vector<emulator::BufferFootprint> footprints;
    std::set<std::string> communicating;  // kernels whose blocks may wait for each other
};

// A launch that no device of this model can make is a finding of kind launch, with the
// line of the kernel; a grid without blocks does nothing (hosts skip it).
PlanRun run_plan(const Build& build, const task::ResolvedPlan& plan, Workspace& workspace, const emulator::DeviceModel& device,
                 const PlanRunOptions& options);

// One step as the emulator wants it. Precondition: launch_problem() is empty.
emulator::Launch launch_of(const Build& build, const task::ResolvedStep& step, const Workspace& workspace);

// Why a launch of the plan cannot be made, where the emulator cannot even be asked (extents beyond 32 bits, arguments that do not fit
// the kernel's parameters).
std::optional<std::string> launch_problem(const Build& build, const task::ResolvedStep& step);

// No blocks: nothing to launch.
bool is_empty(const task::ResolvedStep& step);

Finding finding_of(const emulator::Finding& finding, const Build& build, const std::string& kernel);

}  // namespace optiml::evaluation
