#include "gpu/sanitizer/sanitizer.h"

#include <fmt/format.h>

#include "base/disk.h"
#include "gpu/toolkit.h"
#include "process/process.h"
#include "process/scratch_folder.h"

namespace optiml::gpu::sanitizer {

Result<Report> check(std::string_view tool, const std::vector<std::string>& command, double time_limit_seconds) {
    const std::string program = find_toolkit_program("compute-sanitizer");
    if (program.empty()) {
        return environment_error("compute-sanitizer was not found", "It comes with the CUDA toolkit: install that and set CUDA_HOME, or leave out --second-opinion.");
    }
    const auto scratch = process::ScratchFolder::make();
    if (!scratch) return tl::make_unexpected(scratch.error());
    const std::string log = (scratch->path() / "sanitizer.log").string();
    // Refused calls of the driver's interface are told by the program itself; its output stays apart from the tool's.
    process::Command watched{{program, "--tool", std::string(tool), "--print-limit", "20", "--report-api-errors", "no", "--log-file", log}, "", time_limit_seconds};
    watched.arguments.insert(watched.arguments.end(), command.begin(), command.end());
    const auto outcome = process::run(watched);
    if (!outcome) return tl::make_unexpected(outcome.error());
    if (outcome->timed_out) {
        return environment_error(fmt::format("compute-sanitizer's {} was not done after {:.0f} s", tool, time_limit_seconds), "Use smaller sizes (--set, --size small).");
    }
    const std::string text = RealDisk().read(log).value_or("");
    return parse_report(text.empty() ? outcome->standard_output + outcome->standard_error : text);
}

}  // namespace optiml::gpu::sanitizer
