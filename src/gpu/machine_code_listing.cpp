#include "gpu/machine_code_listing.h"

#include <fmt/format.h>

#include "base/disk.h"
#include "gpu/toolkit.h"
#include "process/process.h"
#include "process/scratch_folder.h"

namespace optiml::gpu {
namespace {

constexpr double kSeconds = 60;

}  // namespace

Result<std::string> list_machine_code(const std::vector<std::uint8_t>& cubin) {
    const std::string program = find_toolkit_program("nvdisasm");
    if (program.empty()) return environment_error("nvdisasm was not found", "Run ./demo once: it brings nvdisasm into .toolchain; or install a CUDA toolkit and set CUDA_HOME.");
    const auto scratch = process::ScratchFolder::make();
    if (!scratch) return tl::make_unexpected(scratch.error());
    const auto file = scratch->path() / "kernel.cubin";
    RealDisk disk;
    const std::string_view bytes(reinterpret_cast<const char*>(cubin.data()), cubin.size());
    if (const Status written = disk.write(file, bytes); !written) return tl::make_unexpected(written.error());
    const auto outcome = process::run({{program, "--print-line-info", "--print-code", file.string()}, "", kSeconds});
    if (!outcome) return tl::make_unexpected(outcome.error());
    if (outcome->timed_out || outcome->exit_status != 0) {
        return environment_error(fmt::format("{} fails: {}", program, outcome->timed_out ? "it hangs" : outcome->standard_error),
                                 "It must be as new as the compiler: OPTIML_CUDA_HOME chooses the toolkit.");
    }
    return outcome->standard_output;
}

}  // namespace optiml::gpu
