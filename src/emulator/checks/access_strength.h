#pragma once

#include "emulator/execution/operation.h"

namespace optiml::emulator {

// How a memory instruction of a function counts when it meets another without order; see race_checker.h.
AccessStrength access_strength(const ptx::Function& function, std::uint32_t index);

}  // namespace optiml::emulator
