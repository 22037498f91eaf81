#pragma once
// What can be said about a launch before it runs.

#include "emulator/emulator.h"
#include "emulator/execution/module_image.h"

namespace optiml::emulator {

// The bytes of a kernel's parameters. Errors: arguments whose number or sizes do not fit.
Result<std::vector<std::uint8_t>> parameter_block(const ptx::Function& kernel, const Launch& launch, const Memory& memory);

// Findings of kind launch: what the device refuses.
std::vector<Finding> check_launch(const Launch& launch, const KernelImage& kernel, const DeviceModel& device);

}  // namespace optiml::emulator
