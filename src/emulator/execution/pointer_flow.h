#pragma once
// Which kernel parameters the addresses of stores can come from.

#include "emulator/emulator.h"
#include "emulator/execution/module_image.h"

namespace optiml::emulator {

// Follows values through the kernel's registers, whatever the order of its instructions. Values that come out of memory or through
// calls may point anywhere.
WrittenParameters written_parameters(const ptx::Function& kernel, const std::vector<const ptx::Function*>& functions);

// Sets Region::may_be_written for all buffers of a launch.
void mark_written_regions(Memory::Implementation& memory, const Launch& launch, const KernelImage& kernel);

}  // namespace optiml::emulator
