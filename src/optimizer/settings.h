#pragma once
// What the user asked for; kept with the run as JSON, so that it can be resumed.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "task/task.h"

namespace optiml::optimizer {

// Where a task comes from and at which sizes it is timed.
struct TaskChoice {
    std::string kernel_file;
    std::string task_file;      // empty: the one beside the kernel file, else the task is inferred
    std::string kernel;         // empty: the task file's, or the file's only kernel
    std::string size_set;       // "small", "large" or empty: large
    task::Sizes sizes;          // --set, over the set
};

// The chosen set with --set over it. Errors (user): an unknown set or size, a value that the task does not
// allow, or one for which an expression of the launch plan overflows.
Result<task::Sizes> timing_sizes(const task::Task& task, const TaskChoice& choice);

struct Budget {
    std::optional<std::uint64_t> evaluations;
    std::optional<double> seconds;
    bool operator==(const Budget&) const = default;
};

// "200" or "60s" ("2m", "1h"). Error (user): anything else, or nothing to spend.
Result<Budget> parse_budget(std::string_view text);

struct Settings {
    TaskChoice choice;
    std::string device = "emulated:h200";
    Budget budget{200, {}};
    std::uint64_t seed = 1;
    std::string search = "mcts";
    std::string out;                // folder for the kernel and its explanation; empty: out/RUN
    std::string task_digest;        // of the task when the run began: a resumed run must find the same
};

std::string to_json(const Settings& settings);
Result<Settings> settings_from_json(std::string_view json);

}  // namespace optiml::optimizer
