#pragma once
// Counters of several candidates in as few sessions of the profiler as can be: starting and stopping one costs as much as counting some
// twenty kernels.

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "gpu/profiler.h"

namespace optiml::evaluation::device {

using LaunchesCounted = Result<std::vector<gpu::CounterValues>>;  // by launch

class JointCounter {
public:
    // By work. Each work's `prepare` and `launch` must wait for the device, so that a failure is known to be theirs. A session that fails
    // without losing the device is repeated for each of its works alone; where all of them then succeed, sharing itself does not work
    // here and is not tried again. nullopt: not counted, since the device was lost by another work; that one has its failure.
    std::vector<std::optional<LaunchesCounted>> count(gpu::Profiler& profiler, const std::vector<std::string>& metrics,
                                                      const std::vector<gpu::CountedWork>& works);

private:
    bool shares_ = true;
};

}  // namespace optiml::evaluation::device
