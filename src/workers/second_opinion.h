#pragma once

#include <string>
#include <vector>

#include "evaluation/evaluation.h"
#include "task/task.h"

namespace optiml::workers {

struct SecondOpinionSettings {
    std::string program;                       // optiml
    int ordinal = 0;
    std::vector<task::Sizes> sizes;            // small ones: each is run once under each tool
    double time_limit_seconds = 120;           // of one such run
};

// What compute-sanitizer finds in a compiled candidate (as workers hand it over) on the card: memcheck, racecheck, initcheck and
// synccheck, at most one finding a kernel, source line and kind. Errors: as gpu::sanitizer::check; (environment) errors that it counts
// but does not tell in a way that can be read.
Result<std::vector<evaluation::Finding>> second_opinion(const task::Task& task, const std::string& compiled, const SecondOpinionSettings& settings);

}  // namespace optiml::workers
