#pragma once
// How often each block of machine code ran, inferred from how often each PTX instruction did.

#include <vector>

#include "emulator/machine_code/machine_code.h"
#include "emulator/machine_code/ptx_counts.h"

namespace optiml::emulator {

struct MachineProfile {
    std::vector<double> warps;    // by block of the machine function: warp executions
    std::vector<double> threads;  // by block: thread executions
};

// The cheapest flow through the machine code's graph that explains the PTX counts: flow is conserved; each memory access, floating-point
// operation, shuffle and barrier of a PTX instruction is executed, over all its copies (unrolling, peeling), as often as that instruction was;
// an unrolled loop runs only whole rounds. What remains open goes where it costs the fewest instructions, as the compiler intended.
MachineProfile infer_profile(const MachineFunction& machine, const PtxFlow& ptx);

}  // namespace optiml::emulator
