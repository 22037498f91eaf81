#pragma once

#include "ptx/module.h"

namespace optiml::ptx {

// Fills blocks and loops. Before, operands of kind label hold the index of an instruction, afterwards that of its block.
// The last instruction must be an unguarded bra, brx.idx, ret or exit.
void build_control_flow(Function& function);

// Whether control can go on to the next instruction.
bool falls_through(const Instruction& instruction);

}  // namespace optiml::ptx
