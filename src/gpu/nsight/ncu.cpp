#include "gpu/nsight/ncu.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/disk.h"
#include "gpu/toolkit.h"
#include "process/process.h"
#include "process/scratch_folder.h"

namespace optiml::gpu::nsight {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPermissionError = "ERR_NVGPUCTRPERM";
constexpr const char* kPermissionRemedy =
    "Run as root, or load the driver with NVreg_RestrictProfilingToAdminUsers=0 (docs/gpu.md); times are measured without counters all the same.";

std::string end_of(const std::string& text) {
    constexpr std::size_t kShown = 500;
    return text.size() <= kShown ? text : text.substr(text.size() - kShown);
}

// ncu's own word on what went wrong, else the end of what it printed.
std::string complaint(const process::Outcome& outcome, const std::string& log) {
    for (const std::string& text : {log, outcome.standard_output, outcome.standard_error}) {
        if (std::string error = error_in(text); !error.empty()) return error;
    }
    return fmt::format("exit status {}: {}", outcome.exit_status, end_of(outcome.standard_error.empty() ? outcome.standard_output : outcome.standard_error));
}

struct Attempt {
    process::Outcome outcome;
    std::string log;  // ncu's messages and its table
};

Result<Attempt> attempt(const NcuRequest& request, const std::vector<std::string>& launcher) {
    const auto scratch = process::ScratchFolder::make();
    if (!scratch) return tl::make_unexpected(scratch.error());
    const std::string log = (scratch->path() / "ncu.csv").string();
    // The program's own output stays apart from the table: it may print anything.
    const std::vector<std::string> options = {"--csv", "--page", "raw", "--print-units", "base", "--clock-control", "none", "--cache-control", "all",
                                              "--profile-from-start", "off", "--launch-count", std::to_string(request.most_launches),
                                              "--log-file", log, "--metrics", fmt::format("{}", fmt::join(request.metrics, ","))};
    process::Command command{launcher, "", request.time_limit_seconds};
    for (const auto& part : {options, request.command}) command.arguments.insert(command.arguments.end(), part.begin(), part.end());
    auto outcome = process::run(command);
    if (!outcome) return tl::make_unexpected(outcome.error());
    return Attempt{std::move(*outcome), RealDisk().read(log).value_or("")};
}

bool lacks_permission(const Attempt& attempt) {
    for (const std::string& text : {attempt.log, attempt.outcome.standard_output, attempt.outcome.standard_error}) {
        if (text.find(kPermissionError) != std::string::npos) return true;
    }
    return false;
}

Status check_complete(const std::vector<Launch>& launches, const std::vector<std::string>& metrics) {
    if (launches.empty()) return environment_error("ncu profiled no kernel");
    for (const Launch& launch : launches) {
        for (const std::string& metric : metrics) {
            if (launch.counters.count(metric) == 0) return environment_error(fmt::format("ncu gave no value of {} for {}", metric, launch.kernel));
        }
    }
    return {};
}

Result<NcuCapture> capture_of(const Attempt& attempt, const NcuRequest& request, std::string rung) {
    if (attempt.outcome.timed_out) {
        return environment_error(fmt::format("ncu was not done after {:.0f} s", request.time_limit_seconds),
                                 "ncu cannot replay a kernel that waits for another one; leave out --profiler ncu.");
    }
    if (attempt.outcome.exit_status != 0) return environment_error("ncu: " + complaint(attempt.outcome, attempt.log), "See optiml doctor.");
    auto launches = parse_report(attempt.log, "ncu's table");
    if (!launches) return environment_error("ncu gave no table: " + launches.error().message, "See optiml doctor.");
    if (const Status complete = check_complete(*launches, request.metrics); !complete) return tl::make_unexpected(complete.error());
    return NcuCapture{std::move(*launches), std::move(rung)};
}

// Folders as "2025.3.1" sort by their names well enough: four-digit years come first.
std::string newest_installed(const fs::path& root) {
    std::string newest;
    std::error_code code;
    for (const fs::directory_entry& entry : fs::directory_iterator(root, code)) {
        const std::string program = (entry.path() / "ncu").string();
        if (fs::exists(program, code)) newest = std::max(newest, program);
    }
    return newest;
}

tl::unexpected<Error> no_ncu(std::string remedy) { return environment_error("the Nsight Compute CLI (ncu) was not found", std::move(remedy)); }

}  // namespace

std::string find_ncu() {
    const std::string program = find_toolkit_program("ncu");
    return program.empty() ? newest_installed("/opt/nvidia/nsight-compute") : program;
}

Result<std::vector<Launch>> import_report(const std::string& file, double time_limit_seconds) {
    const std::string ncu = find_ncu();
    if (ncu.empty()) {
        return no_ncu(fmt::format("Install Nsight Compute, or where it is installed run: ncu --import {} --csv --page raw > REPORT.csv", file));
    }
    const auto outcome = process::run({{ncu, "--import", file, "--csv", "--page", "raw", "--print-units", "base"}, "", time_limit_seconds});
    if (!outcome) return tl::make_unexpected(outcome.error());
    if (outcome->timed_out) return environment_error(fmt::format("ncu --import was not done after {:.0f} s", time_limit_seconds), "Export fewer kernels.");
    if (outcome->exit_status != 0) {
        return user_error("ncu cannot read the report: " + complaint(*outcome, ""), {file, 0, 0}, "Reports of a newer Nsight Compute need that version's ncu.");
    }
    return parse_report(outcome->standard_output, file);
}

Result<NcuCapture> profile(const NcuRequest& request) {
    const std::string ncu = find_ncu();
    if (ncu.empty()) return no_ncu("Install Nsight Compute, or leave out --profiler ncu: counters in process need only CUPTI.");
    const auto plain = attempt(request, {ncu});
    if (!plain) return tl::make_unexpected(plain.error());
    if (!lacks_permission(*plain)) return capture_of(*plain, request, "ncu");
    if (!process::find_program("sudo").empty()) {
        const auto raised = attempt(request, {"sudo", "-n", ncu});
        if (!raised) return tl::make_unexpected(raised.error());
        if (raised->outcome.exit_status == 0 && !lacks_permission(*raised)) return capture_of(*raised, request, "sudo ncu");
    }
    return environment_error(fmt::format("no permission to read counters ({}): ncu is refused, and so is sudo -n ncu", kPermissionError), kPermissionRemedy);
}

bool is_refusal(const Error& error) { return error.message.find(kPermissionError) != std::string::npos; }

}  // namespace optiml::gpu::nsight
