#pragma once
// The look-up of lane functions at one level, by topic. Each returns nullptr for what is not its own.

#include <cstdint>

#include "emulator/lanes.h"

namespace optiml::emulator::OPTIML_LEVEL {

struct Form {
    const ptx::Function& function;
    const ptx::Instruction& instruction;
    const ptx::Modifiers& modifiers = instruction.modifiers;
    ptx::Opcode opcode = instruction.opcode;
    ptx::Type type = instruction.modifiers.type;
};

LaneFunction find_integer(const Form& form);
LaneFunction find_carry(const Form& form);
LaneFunction find_logic(const Form& form);
LaneFunction find_shift(const Form& form);
LaneFunction find_bits(const Form& form);
LaneFunction find_video(const Form& form);
LaneFunction find_floating(const Form& form);
LaneFunction find_half(const Form& form);
LaneFunction find_approximate(const Form& form);
LaneFunction find_compare(const Form& form);
LaneFunction find_set(const Form& form);
LaneFunction find_select(const Form& form);
LaneFunction find_convert(const Form& form);
LaneFunction find_move(const Form& form);

LaneFunction find(const ptx::Function& function, const ptx::Instruction& instruction);
ShadowFunction find_shadow(const ptx::Function& function, const ptx::Instruction& instruction);

}  // namespace optiml::emulator::OPTIML_LEVEL
