#pragma once
// What the pipeline needs from the world; tests give twins.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/disk.h"
#include "base/log.h"
#include "evaluation/evaluation.h"
#include "experts/expert.h"
#include "optimizer/settings.h"
#include "optiml/optimize.h"
#include "runs/store.h"
#include "task/task.h"

namespace optiml::optimizer {

enum class Thoroughness : std::uint8_t {
    search,  // for each candidate
    final,   // for the winner: more sizes, more values, more orders
};

struct EvaluatorRequest {
    const task::Task& task;
    std::string device;                 // "emulated:h200"
    task::Sizes timing_sizes;
    Thoroughness thoroughness = Thoroughness::search;
    bool only_verify = false;           // no times and counters
    bool emulator_checks = true;        // beside a GPU: L2 first
    GpuOptions gpu;
    bool few_candidates = false;        // counters may cost seconds each
};

struct Services {
    Disk& disk;
    const Clock& clock;
    Log& log;
    runs::Store& store;
    std::uint32_t jobs = 1;             // evaluations at once; does not change the result
    // Errors: environment (no compiler), user (unknown device).
    std::function<Result<std::unique_ptr<evaluation::Evaluator>>(const EvaluatorRequest&)> make_evaluator;
    // multiprocessors: of the device, for grids that just fill it.
    std::function<Result<std::unique_ptr<experts::Expert>>(const task::Task&, std::int64_t multiprocessors)> make_expert;
    std::function<Result<task::Task>(const TaskChoice&, const Disk&)> load_task;
    // Machine code as text; empty where no program of the toolkit can tell.
    std::function<std::string(const task::Task&, const task::Candidate&, const std::string& device)> machine_listing =
        [](const task::Task&, const task::Candidate&, const std::string&) { return std::string(); };
    std::function<bool()> interrupted = [] { return false; };
    std::function<void(const Progress&)> on_progress = [](const Progress&) {};
};

}  // namespace optiml::optimizer
