#pragma once

#include "emulator/machine_code/machine_code.h"

namespace optiml::emulator {

// Fills in a function's basic blocks and loops from its instructions.
void find_flow(MachineFunction& function);

}  // namespace optiml::emulator
