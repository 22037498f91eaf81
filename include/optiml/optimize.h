#pragma once
// The search for a faster kernel, from the user's file to the explained winner.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "optiml/log.h"
#include "optiml/settings.h"
#include "optiml/summary.h"

namespace optiml::optimizer {

struct Progress {
    std::string run;                    // "softmax-3"
    Budget budget;
    std::uint64_t evaluations = 0;
    double seconds = 0;
    double best_speedup = 1;
    std::string action;                 // tried last
    std::string outcome;                // of that action: "x 1.31", "race", "seen before"
    bool improved = false;
};

struct Optimization {
    report::Summary summary;
    bool interrupted = false;  // the best so far, not verified more widely; the run can be resumed
};

// What an optimisation needs beside its settings; nothing of it changes the result.
struct RunOptions {
    std::string store;                  // file of runs and evaluations, made where it is missing; ":memory:" keeps nothing
    std::uint32_t jobs = 1;             // evaluations at once
    std::function<bool()> interrupted = [] { return false; };            // asked often; true ends the run, which can be resumed
    std::function<void(const Progress&)> on_progress = [](const Progress&) {};  // called by one thread at a time
};

// Writes the kernel and its explanation into settings.out.
// Errors: user (file, task, sizes, a kernel that does not compile), environment (compiler, device, disk), faulty_original.
Result<Optimization> optimize(const Settings& settings, const RunOptions& options, Log& log);

// Goes on with a run of the store that was interrupted or killed, by its name ("softmax-3"). Errors: as optimize().
Result<Optimization> resume(std::string_view run, const RunOptions& options, Log& log);

}  // namespace optiml::optimizer
