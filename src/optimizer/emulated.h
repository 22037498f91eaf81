#pragma once

#include <memory>

#include "gpu/compiler.h"
#include "optimizer/services.h"

namespace optiml::optimizer {

// The emulator's evaluator with the settings for the request. What the original does wrong at other than its small sizes goes to the log.
Result<std::unique_ptr<evaluation::Evaluator>> make_emulated_evaluator(const EvaluatorRequest& request, gpu::Compiler& compiler,
                                                                       const Disk& disk, std::uint32_t host_threads, Log& log);

}  // namespace optiml::optimizer
