#include "emulator/machine_code/executed_instructions.h"

#include "emulator/machine_code/machine_profile.h"

namespace optiml::emulator {

std::vector<ExecutedInstruction> executed_instructions(const PtxFlow& ptx, const PtxCounts& counts, const MachineFunction& machine) {
    const MachineProfile profile = infer_profile(machine, ptx);
    std::vector<ExecutedInstruction> executed;
    for (std::uint32_t block = 0; block < machine.blocks.size(); ++block) {
        if (profile.threads[block] <= 0) continue;
        for (std::uint32_t i = machine.blocks[block].first; i < machine.blocks[block].last; ++i) {
            const MachineInstruction& instruction = machine.instructions[i];
            ExecutedInstruction entry;
            entry.ptx_instruction = ptx.instruction_at(instruction.ptx_line);
            entry.kind = instruction.kind;
            entry.pipe = instruction.pipe;
            entry.warps = profile.warps[block];
            entry.threads = profile.threads[block];
            entry.guarded_threads = entry.threads;
            // A guarded instruction works for the lanes that its PTX instruction, in a block of its own, ran for.
            if (instruction.guarded && entry.ptx_instruction != ptx::none) {
                entry.guarded_threads = std::min(entry.threads, static_cast<double>(counts.threads[entry.ptx_instruction]));
            }
            executed.push_back(entry);
        }
    }
    return executed;
}

}  // namespace optiml::emulator
