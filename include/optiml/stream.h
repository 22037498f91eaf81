#pragma once
// Evaluating many candidates of one task, as they come, several at once: for programs that make candidates themselves.

#include <functional>
#include <optional>
#include <string>

#include "optiml/evaluation.h"
#include "optiml/log.h"
#include "optiml/settings.h"

namespace optiml::optimizer {

struct StreamRequest {
    TaskChoice original;
    std::string device;
    std::uint32_t jobs = 1;         // evaluations at once
    bool emulator_checks = true;    // false: L2 is left to others (GPU only)
    bool thorough = false;          // as for a search's winner
    GpuOptions gpu;
};

struct StreamItem {
    std::string id;
    std::string source;
    std::string task_file;          // text; empty: the original's launch plan
    std::string problem;            // not empty: this is no candidate, and why
};

// next gives items until there are no more (called by one thread at a time); done gets each evaluation as it is ready, in any order,
// one at a time. An item that is no candidate (it has a problem, or its task file an error) is done with a finding of kind launch.
// Errors: as make_evaluator.
Status evaluate_stream(const StreamRequest& request, const std::function<std::optional<StreamItem>()>& next,
                       const std::function<void(const StreamItem&, const evaluation::Evaluation&)>& done, Log& log);

}  // namespace optiml::optimizer
