#include "emulator/emulator.h"

#include "emulator/execution/grid.h"
#include "emulator/execution/launch_checks.h"

namespace optiml::emulator {

Result<LaunchResult> run(const Launch& launch, Memory& memory, const DeviceModel& device, const RunOptions& options) {
    const ptx::Function* function = launch.module == nullptr ? nullptr : launch.module->find_kernel(launch.kernel);
    if (function == nullptr) return internal_error("the module has no kernel '" + launch.kernel + "'");
    Result<std::vector<std::uint8_t>> parameters = parameter_block(*function, launch, memory);
    if (!parameters) return tl::unexpected(parameters.error());
    ModuleImage& image = image_of(*launch.module, memory.implementation());
    const KernelImage& kernel = image.kernel(*function);
    std::vector<Finding> faults = check_launch(launch, kernel, device);
    if (!faults.empty()) return LaunchResult{.findings = std::move(faults)};
    LaunchState state{.launch = launch,
                      .device = device,
                      .options = options,
                      .memory = memory.implementation(),
                      .image = image,
                      .kernel = kernel,
                      .parameters = std::move(*parameters),
                      .findings = FindingLog(options.max_findings)};
    return run_grid(state);
}

}  // namespace optiml::emulator
