#pragma once
// Times and counters of a whole plan from sampled blocks of its launches.

#include "base/clock.h"
#include "evaluation/build.h"
#include "evaluation/evaluation.h"
#include "task/resolved.h"

namespace optiml::evaluation {

struct SamplingContext {
    const task::Task* task = nullptr;
    const emulator::DeviceModel* device = nullptr;
    const Disk* disk = nullptr;
    std::uint64_t seed = 1;
    std::uint32_t host_threads = 1;
    double thread_instructions = 3e7;  // to spend on a group of like launches
    Deadline deadline;
};

struct Modelled {
    Timing timing;
    Profile profile;
    double thread_instructions = 0;    // executed here
};

// A candidate that cannot be sampled within many times the instructions that were meant for it is a finding of kind time_limit.
tl::expected<Modelled, Finding> model_plan(const SamplingContext& context, const Build& build, const task::LaunchPlan& plan,
                                           const task::Sizes& sizes);

// The largest sizes at which sampling the original stays within the context's instructions, got from `sizes` by halving.
task::Sizes affordable_sizes(const SamplingContext& context, const Build& original, const task::LaunchPlan& plan, task::Sizes sizes);

}  // namespace optiml::evaluation
