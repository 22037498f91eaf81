#pragma once

#include "evaluation/evaluation.h"
#include "task/task.h"

namespace optiml::optimizer {

// Whether a kernel's own evaluation lets it stand as the reference; else an error that says what is wrong with it and where:
// user (does not compile, takes too long), environment (needs what the emulator does not know), faulty_original (all else).
Status check_original(const task::Task& task, const evaluation::Evaluation& evaluation);

}  // namespace optiml::optimizer
