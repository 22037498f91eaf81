#pragma once
// Options that several commands share.

#include <cstdint>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "base/result.h"
#include "cli/console.h"
#include "optiml/settings.h"

namespace optiml::cli {

struct OutputOptions {
    bool json = false;
    bool verbose = false;
    void add_to(CLI::App& command);
    void apply(Console& console) const;
};

struct TaskOptions {
    std::string kernel_file;
    std::string task_file;
    std::string kernel;
    std::string size_set;
    std::vector<std::string> sizes;  // NAME=VALUE
    std::string reference;
    // with_file: the kernel file is the command's first argument.
    void add_to(CLI::App& command, bool with_file);
    Result<optimizer::TaskChoice> choice() const;
};

struct DeviceOptions {
    std::string device = "auto";
    std::uint32_t jobs = 0;          // 0: the machine's cores
    void add_to(CLI::App& command);
    void add_jobs_to(CLI::App& command);
    // See optimizer::resolve_device.
    Result<std::string> resolved() const;
    std::uint32_t resolved_jobs() const;
};

// Of commands that evaluate on a GPU.
struct GpuOptions {
    optimizer::GpuOptions chosen;
    void add_profiler_to(CLI::App& command);
    void add_tier_to(CLI::App& command);
    void add_large_to(CLI::App& command);
};

struct SearchOptions {
    std::string budget = "200";
    std::uint64_t seed = 1;
    std::string search = "mcts";
    void add_to(CLI::App& command);
};

struct StoreOptions {
    std::string file;                // empty: the user's own
    void add_to(CLI::App& command);
    std::string resolved() const;
};

}  // namespace optiml::cli
