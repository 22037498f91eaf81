#pragma once

#include <string>

#include "evaluation/evaluation.h"
#include "gpu/metrics.h"
#include "task/task.h"

namespace optiml::workers {

struct NcuSettings {
    std::string program;                       // optiml
    int ordinal = 0;
    task::Sizes sizes;
    std::string chip = "GH100";                // names of metrics follow it
    gpu::MetricTier tier = gpu::MetricTier::one_pass;
    double time_limit_seconds = 120;
};

// The counters of one run of a compiled candidate (as workers hand it over) through the Nsight Compute CLI: the same names and the same
// structure as those read in process; collector says on which rung. Errors: as gpu::nsight::profile.
Result<evaluation::Profile> profile_with_ncu(const task::Task& task, const task::LaunchPlan& plan, const std::string& compiled, const NcuSettings& settings);

}  // namespace optiml::workers
