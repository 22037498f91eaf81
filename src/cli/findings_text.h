#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "evaluation/evaluation.h"

namespace optiml::cli {

// The documented keys: kind, message, file, line, kernel, block, thread, sizes, values.
nlohmann::json finding_json(const evaluation::Finding& finding);
// "softmax.cu:14: race: ... (kernel softmax, block 0,0,0, thread 3,0,0, n = 7, values: nan_and_infinity)"; the task's own values
// are not named.
std::string finding_text(const evaluation::Finding& finding);

// What the kernels printed, under a heading; empty if nothing.
std::string printed_text(const evaluation::Evaluation& evaluation);

}  // namespace optiml::cli
