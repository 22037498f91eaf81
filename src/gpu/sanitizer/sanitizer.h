#pragma once
// compute-sanitizer as a program of its own.

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/sanitizer/report.h"

namespace optiml::gpu::sanitizer {

// Out of bounds and misaligned; races on shared memory; reads of what was never written; misused barriers.
constexpr std::array<std::string_view, 4> kTools = {"memcheck", "racecheck", "initcheck", "synccheck"};

// Runs the command under one of the tools. Errors (environment): compute-sanitizer is not there, takes too long or does not finish.
Result<Report> check(std::string_view tool, const std::vector<std::string>& command, double time_limit_seconds);

}  // namespace optiml::gpu::sanitizer
