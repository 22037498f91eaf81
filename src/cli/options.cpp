#include "cli/options.h"

#include <charconv>
#include <cstdlib>

#include <fmt/format.h>

#include "base/processors.h"

namespace optiml::cli {

void OutputOptions::add_to(CLI::App& command) {
    command.add_flag("--json", json, "Print one JSON object on stdout, everything else on stderr");
    command.add_flag("-v,--verbose", verbose, "Tell the time of each step");
}

void OutputOptions::apply(Console& console) const {
    console.set_json(json);
    console.set_verbose(verbose);
}

void TaskOptions::add_to(CLI::App& command, bool with_file) {
    if (with_file) command.add_option("FILE.cu", kernel_file, "The kernel's source")->required();
    command.add_option("--task", task_file, "Task file; default: FILE.toml beside FILE.cu");
    command.add_option("--kernel", kernel, "Kernel, where the file has several");
    command.add_option("--size", size_set, "Set of sizes to time at: small or large (default)");
    command.add_option("--set", sizes, "NAME=VALUE: a size to time at, over the set; may be repeated")->allow_extra_args(false);
    command.add_option("--reference", reference, "A second program (.cu, or .toml with a launch plan of its own) whose results the original's must be");
}

Result<optimizer::TaskChoice> TaskOptions::choice() const {
    optimizer::TaskChoice choice{kernel_file, task_file, kernel, size_set, {}, reference};
    for (const std::string& text : sizes) {
        const std::size_t equals = text.find('=');
        std::int64_t value = 0;
        const char* end = text.data() + text.size();
        const char* begin = equals == std::string::npos ? end : text.data() + equals + 1;
        const auto [rest, code] = std::from_chars(begin, end, value);
        if (code == std::errc::result_out_of_range) {
            return user_error(fmt::format("--set {}: the value does not fit 64 bits", text), {}, "Give a smaller size.");
        }
        if (equals == 0 || begin == end || rest != end || code != std::errc()) {
            return user_error(fmt::format("--set {}: not NAME=VALUE", text), {}, "Write for example --set n=16777216.");
        }
        choice.sizes[text.substr(0, equals)] = value;
    }
    return choice;
}

void DeviceOptions::add_to(CLI::App& command) {
    command.add_option("--device", device, "auto (a GPU where there is one), cuda:N (cuda:0,1: several), or emulated: h200, a100, rtx4090")->capture_default_str();
    add_jobs_to(command);
}

void DeviceOptions::add_jobs_to(CLI::App& command) {
    command.add_option("--jobs", jobs, "Evaluations at once; default: one a core. Does not change the result");
}

Result<std::string> DeviceOptions::resolved() const { return optimizer::resolve_device(device); }

std::uint32_t DeviceOptions::resolved_jobs() const { return jobs != 0 ? jobs : available_processors(); }

void GpuOptions::add_profiler_to(CLI::App& command) {
    command.add_option("--profiler", chosen.profiler, "Counters on a GPU by cupti (in process), ncu (some seconds a candidate) or auto: what is permitted")
        ->check(CLI::IsMember({"auto", "cupti", "ncu"}))
        ->capture_default_str();
}

void GpuOptions::add_tier_to(CLI::App& command) {
    command.add_option("--tier", chosen.tier, "Counters to read on a GPU, each tier with those before it: one_pass (default), two_passes, four_passes, full")
        ->check(CLI::IsMember({"one_pass", "two_passes", "four_passes", "full"}));
}

void GpuOptions::add_large_to(CLI::App& command) {
    command.add_flag("--beyond-31-bit", chosen.beyond_31_bit, "On a GPU, verify at a size with more than 2^31 elements in a buffer too, where memory allows");
}

void SearchOptions::add_to(CLI::App& command) {
    command.add_option("--budget", budget, "Evaluations (200), time (60s, 2m, 1h), or both (200,60s): what is spent first")->capture_default_str();
    command.add_option("--seed", seed, "Seed of the search: the same seed and budget give the same kernel")->capture_default_str();
    command.add_option("--search", search, "mcts, beam, greedy or random")->capture_default_str();
}

void StoreOptions::add_to(CLI::App& command) {
    command.add_option("--store", file, "File that keeps runs and evaluations; default: $OPTIML_STORE, else one in the home folder");
}

std::string StoreOptions::resolved() const {
    if (!file.empty()) return file;
    if (const char* store = std::getenv("OPTIML_STORE"); store != nullptr && *store != '\0') return store;
    if (const char* state = std::getenv("XDG_STATE_HOME"); state != nullptr && *state != '\0') return std::string(state) + "/optiml/runs.db";
    if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0') return std::string(home) + "/.local/state/optiml/runs.db";
    return ".optiml/runs.db";
}

}  // namespace optiml::cli
