#pragma once
// The machine instructions that a launch executed: from the machine code where it is known, else estimated from PTX.

#include <cstdint>
#include <vector>

#include "emulator/machine_code/machine_code.h"
#include "emulator/machine_code/machine_profile.h"
#include "emulator/machine_code/ptx_counts.h"

namespace optiml::emulator {

struct ExecutedInstruction {
    std::uint32_t ptx_instruction = ptx::none;  // that it was made from; none: unknown
    MachineKind kind = MachineKind::other;
    Pipe pipe = Pipe::none;
    std::uint8_t access_bytes = 0;  // a lane, of loads and stores
    double warps = 0;
    double threads = 0;  // lanes active (guards not applied)
    double guarded_threads = 0;  // lanes whose guard is true
};

std::vector<ExecutedInstruction> executed_instructions(const PtxFlow& ptx, const PtxCounts& counts, const MachineFunction& machine,
                                                       const MachineProfile& profile);

// Without machine code: each PTX instruction as the instructions it usually becomes (address arithmetic folded, constants in operands).
std::vector<ExecutedInstruction> estimated_instructions(const PtxCounts& counts);

}  // namespace optiml::emulator
