#pragma once

#include "emulator/checks/taint.h"

namespace optiml::emulator {

TaintRule taint_rule(const ptx::Function& function, const ptx::Instruction& instruction);

}  // namespace optiml::emulator
