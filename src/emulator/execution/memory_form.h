#pragma once

#include "emulator/execution/program_builder.h"

namespace optiml::emulator {

// What an instruction accesses; lane_bytes() is 0 for those that access no memory.
MemoryForm memory_form(const ptx::Function& function, std::uint32_t index, ProgramBuilder& builder);

// The width of the row in which source `index` must stand where it is no register, for instructions without a lane function.
std::uint32_t handled_source_width(const ptx::Instruction& instruction, std::uint32_t index);

}  // namespace optiml::emulator
