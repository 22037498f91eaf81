#pragma once

#include <string>

#include "gpu/compiler.h"
#include "task/candidate.h"

namespace optiml::optimizer {

// A candidate's machine code (SASS) for an architecture, as text. Errors: (user) it does not compile; as gpu::list_machine_code.
Result<std::string> list_machine_code(gpu::Compiler& compiler, const task::Task& task, const task::Candidate& candidate,
                                      std::uint32_t compute_capability);

// Of "emulated:a100" or "cuda:0". Errors: user (unknown model), environment (no such card).
Result<std::uint32_t> compute_capability_of(const std::string& device);

}  // namespace optiml::optimizer
