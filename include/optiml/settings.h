#pragma once
// What is asked of an optimisation.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "optiml/result.h"
#include "optiml/sizes.h"

namespace optiml::optimizer {

// Where a task comes from and at which sizes it is timed.
struct TaskChoice {
    std::string kernel_file;
    std::string task_file;      // empty: the one beside the kernel file, else the task is inferred
    std::string kernel;         // empty: the task file's, or the file's only kernel
    std::string size_set;       // "small", "large" or empty: large
    task::Sizes sizes;          // --set, over the set
    std::string reference;      // .cu or .toml of a second program whose results the original's must be; empty: the task file's, if any
};

struct Budget {
    std::optional<std::uint64_t> evaluations;
    std::optional<double> seconds;
    bool operator==(const Budget&) const = default;
};

// "200", "60s" ("2m", "1h"), or both ("200,60s"). Error (user): anything else, or nothing to spend.
Result<Budget> parse_budget(std::string_view text);

// The device that a name means here: "auto" is a GPU where there is one, else the emulator of an H200. Errors: user (an unknown name),
// environment (a GPU is asked for and there is none).
Result<std::string> resolve_device(const std::string& name);

// How candidates are looked at on a GPU; the emulator knows nothing of it.
struct GpuOptions {
    std::string profiler = "auto";  // counters by "cupti" (in process), by "ncu", or "auto": by what is permitted
    std::string tier;               // which counters: "one_pass", "two_passes", "four_passes" or "full"; empty: what the command needs
    bool beyond_31_bit = false;     // also verify at a size with more than 2^31 elements in a buffer, where memory allows
    bool operator==(const GpuOptions&) const = default;
};

struct Settings {
    TaskChoice choice;
    std::string device = "emulated:h200";  // or "emulated:a100", "cuda:0", "cuda:0,1"; see resolve_device
    GpuOptions gpu;
    Budget budget{200, {}};
    std::uint64_t seed = 1;
    std::string search = "mcts";
    std::string out;                // folder for the kernel and its explanation; empty: out/RUN
    std::string task_digest;        // of the task when the run began: a resumed run must find the same
};

}  // namespace optiml::optimizer
