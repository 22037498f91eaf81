#pragma once

#include "emulator/execution/module_image.h"

namespace optiml::emulator {

// What the code of a kernel and of all functions that it may call can do.
KernelTraits traits_of(const std::vector<const ptx::Function*>& functions);

}  // namespace optiml::emulator
