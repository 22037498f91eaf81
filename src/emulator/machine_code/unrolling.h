#pragma once
// Where in machine code the body of a PTX loop is repeated: loops unrolled by 16, 8, 4 ... and straight code for what remains.

#include <cstdint>
#include <vector>

#include "emulator/machine_code/anchors.h"

namespace optiml::emulator {

// A machine loop, or a block outside such loops, that holds copies of a PTX loop's body.
struct UnrolledPart {
    bool is_loop = false;
    std::uint32_t index = 0;     // of the machine loop or block
    double copies = 1;           // iterations of the PTX loop in one round
    double most_rounds = 0;      // an entry of the PTX loop
    bool limited = false;        // most_rounds holds: what is left is done by smaller parts
};

struct Unrolling {
    std::uint32_t ptx_loop = 0;
    std::vector<UnrolledPart> parts;  // most copies first
};

std::vector<Unrolling> find_unrollings(const MachineFunction& machine, const PtxFlow& ptx, const std::vector<Anchor>& anchors);

}  // namespace optiml::emulator
