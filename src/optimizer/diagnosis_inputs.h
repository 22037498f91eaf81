#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "diagnosis/bottleneck.h"
#include "evaluation/evaluation.h"
#include "task/task.h"

namespace optiml::optimizer {

using Ceilings = std::map<std::string, double>;  // diagnosis::Inputs::ceilings

// "emulated:h200" -> the model's parameters and sizes; empty for a device that is not known.
Ceilings ceilings_of(const std::string& device);

// The same for a card by the name it gives itself ("NVIDIA H200", "NVIDIA A100-SXM4-80GB"); empty where no model stands for it.
Ceilings ceilings_of_card(const std::string& title);

// Of the device that an evaluation was made on: "emulated:h200", or a card by its own name.
Ceilings ceilings_of(const std::string& device, const evaluation::Evaluation& evaluation);

// 132, an H200's, where the device is not known.
std::int64_t multiprocessors_of(const Ceilings& ceilings);

// The profile's counters, and what the compiler tells of the kernel that spills most: "ptxas__spill_store_bytes",
// "ptxas__spill_load_bytes" and "ptxas__stack_bytes" (arrays and spills), bytes a thread. Empty without a profile.
std::map<std::string, double> counters_of(const evaluation::Evaluation& evaluation);

// Whether any argument is an f64: if none is, double precision is perhaps an oversight.
bool has_double_arguments(const task::Task& task);

// Of an evaluation that was timed and profiled; empty inputs otherwise.
diagnosis::Inputs diagnosis_inputs(const evaluation::Evaluation& evaluation, const Ceilings& ceilings, bool is_double_meant = true);

}  // namespace optiml::optimizer
