#pragma once
// Shared-memory accesses that the back end merged: four loads of neighbouring words from one base become one 16-byte load, two stores
// one 8-byte store.

#include <cstdint>
#include <vector>

#include "emulator/machine_code/machine_code.h"
#include "ptx/module.h"

namespace optiml::emulator {

struct MergedAccess {
    std::uint8_t bytes = 0;        // a lane, of the machine's access; 0: as in PTX
    bool absent = false;           // part of another access
    std::int32_t displacement = 0; // from the address in PTX to that of the machine's
};

// By index of the PTX instruction.
std::vector<MergedAccess> find_merged_accesses(const ptx::Function& function, const MachineFunction& machine);

}  // namespace optiml::emulator
