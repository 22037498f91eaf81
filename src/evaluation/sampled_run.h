#pragma once
// A few blocks of every launch of a plan at sizes that cannot be run whole.

#include <set>
#include <vector>

#include "base/clock.h"
#include "evaluation/launch_groups.h"
#include "evaluation/plan_run.h"
#include "evaluation/reference.h"

namespace optiml::evaluation {

// Positions in results that are looked at: the first and last elements, the middle, and those around 2^31 and 2^32.
std::vector<std::uint64_t> marked_elements(std::uint64_t elements);

// Blocks of a grid: the first and last two, two at random, and those that hold the marked elements if blocks follow the elements.
std::set<std::uint64_t> sampled_blocks(std::uint64_t blocks, std::uint64_t elements, std::uint64_t seed);

// What blocks of one launch, or of several like ones, touched.
struct SampledLaunch {
    LaunchGroup group;                   // that it stands for; its `step` was run
    std::uint64_t blocks = 0;            // in the grid
    double thread_instructions = 0;      // of the blocks that were run
    std::vector<emulator::BlockFootprint> footprints;
};

struct SampledRun {
    std::vector<Finding> findings;  // those that sampling cannot cause by itself
    bool completed = true;          // false: took too long, or the emulator refused it; what was found still counts
    bool single_launch = true;      // results of several launches hang on what was not run
    std::vector<SampledLaunch> launches;
};

// thread_instructions: to spend on each launch at most. wide: with the shadow of exact values.
SampledRun run_sampled(const VerificationContext& context, const Build& build, const task::ResolvedPlan& plan, Workspace& workspace,
                       double thread_instructions, bool wide, const Deadline& deadline);

// Blocks from all parts of the launch's grid, one at random from each of `parts`; of small grids, all. Nothing is checked. False, and
// the launch is unchanged: they did not end within that many thread instructions.
bool spread_sample(const VerificationContext& context, const Build& build, const task::ResolvedPlan& plan, Workspace& workspace,
                   std::uint64_t parts, double thread_instructions, const Deadline& deadline, SampledLaunch& launch);

}  // namespace optiml::evaluation
