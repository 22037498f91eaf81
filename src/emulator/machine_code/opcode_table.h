#pragma once
// The encodings of sm_70 to sm_90 by base opcode: bits 0-8 of an instruction, equal for all forms of its operands.

#include <cstdint>
#include <string_view>

#include "emulator/machine_code/machine_code.h"

namespace optiml::emulator {

struct OpcodeEntry {
    std::uint16_t opcode = 0;
    std::string_view name;  // as the disassembler prints it
    MachineKind kind = MachineKind::other;
    Pipe pipe = Pipe::none;
};

// Opcodes that are not in the table count as `other` on the ALU.
const OpcodeEntry& opcode_entry(std::uint32_t opcode);

}  // namespace optiml::emulator
