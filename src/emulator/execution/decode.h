#pragma once

#include "emulator/execution/module_image.h"

namespace optiml::emulator {

// Decodes one function for a kernel. Memory instructions get numbers in kernel.sites.
Program decode(const ptx::Function& function, std::uint32_t number, const ModuleImage& image, KernelImage& kernel);

}  // namespace optiml::emulator
