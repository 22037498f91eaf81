#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gpu/compiler.h"
#include "optimizer/services.h"

namespace optiml::optimizer {

struct Workforce {
    std::uint32_t host_threads = 1;  // of one emulated launch
    std::uint32_t builders = 1;      // processes that compile and emulate beside a GPU
};

// The evaluator for request.device: "emulated:h200", or "cuda:0" ("cuda:0,1": several cards of this machine).
// What the original does wrong at other than its small sizes goes to the log.
Result<std::unique_ptr<evaluation::Evaluator>> make_evaluator(const EvaluatorRequest& request, gpu::Compiler& compiler, const Disk& disk,
                                                              const Workforce& workforce, Log& log);

// "cuda:0,2" -> 0, 2. Error (user): not a list of numbers.
Result<std::vector<int>> device_ordinals(const std::string& device);

}  // namespace optiml::optimizer
