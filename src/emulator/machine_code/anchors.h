#pragma once
// Which machine instructions say how often their PTX instruction ran.

#include <cstdint>
#include <map>
#include <vector>

#include "emulator/machine_code/machine_code.h"
#include "emulator/machine_code/ptx_counts.h"

namespace optiml::emulator {

// Strong: memory, barriers, shuffles, matrices: one machine instruction a PTX instruction. Medium: float arithmetic, which the
// compiler may merge. Weak: integers, which it may also hoist, widen and fold.
enum class AnchorStrength : std::uint8_t { none, weak, medium, strong };

AnchorStrength anchor_strength(const ptx::Instruction& instruction, MachineKind kind);

// A PTX instruction and its copies in the machine code.
struct Anchor {
    std::uint32_t instruction = 0;                // index in the PTX function
    AnchorStrength strength = AnchorStrength::none;
    // Some copies run whenever their block does, for the lanes of a predicate: more often than the PTX instruction in a block of its own.
    bool guarded = false;
    std::map<std::uint32_t, double> copies;       // machine block -> copies in it
};

std::vector<Anchor> find_anchors(const MachineFunction& machine, const PtxFlow& ptx);

}  // namespace optiml::emulator
