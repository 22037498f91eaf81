#include "emulator/machine_code/executed_instructions.h"

#include <algorithm>

namespace optiml::emulator {
namespace {

// Guarded parts of these scale operands that are nearly zero or infinite: hardly ever.
bool handles_special_case(ptx::Opcode opcode) {
    switch (opcode) {
        case ptx::Opcode::ex2:
        case ptx::Opcode::lg2:
        case ptx::Opcode::rcp:
        case ptx::Opcode::rsqrt:
        case ptx::Opcode::sqrt:
        case ptx::Opcode::div:
        case ptx::Opcode::sin:
        case ptx::Opcode::cos: return true;
        default: return false;
    }
}

}  // namespace

std::vector<ExecutedInstruction> executed_instructions(const PtxFlow& ptx, const PtxCounts& counts, const MachineFunction& machine,
                                                       const MachineProfile& profile) {
    std::vector<ExecutedInstruction> executed;
    for (std::uint32_t block = 0; block < machine.blocks.size(); ++block) {
        if (profile.threads[block] <= 0) continue;
        for (std::uint32_t i = machine.blocks[block].first; i < machine.blocks[block].last; ++i) {
            const MachineInstruction& instruction = machine.instructions[i];
            ExecutedInstruction entry;
            entry.ptx_instruction = ptx.instruction_at(instruction.ptx_line);
            entry.kind = instruction.kind;
            entry.pipe = instruction.pipe;
            entry.access_bytes = instruction.access_bytes;
            entry.warps = profile.warps[block];
            entry.threads = profile.threads[block];
            entry.guarded_threads = entry.threads;
            if (instruction.guarded && entry.ptx_instruction != ptx::none) {
                const bool special_case = handles_special_case(ptx.function().instructions[entry.ptx_instruction].opcode);
                // Otherwise it works for the lanes that its PTX instruction, in a block of its own, ran for.
                entry.guarded_threads = special_case ? 0 : std::min(entry.threads, static_cast<double>(counts.threads[entry.ptx_instruction]));
            }
            executed.push_back(entry);
        }
    }
    return executed;
}

}  // namespace optiml::emulator
