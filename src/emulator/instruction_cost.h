#pragma once
// What a PTX instruction becomes in machine code (SASS) when no disassembly is at hand: how many instructions, on which pipe.

#include <cstdint>

#include "ptx/module.h"

namespace optiml::emulator {

enum class Pipe : std::uint8_t { none, alu, fma, fp64, xu, lsu, tensor, control, uniform };

struct InstructionCost {
    double instructions = 1;  // machine instructions a PTX instruction; 0: folded into others
    Pipe pipe = Pipe::alu;
};

InstructionCost instruction_cost(const ptx::Instruction& instruction);

}  // namespace optiml::emulator
