#pragma once
// Shared-memory loads that the back end merged: four loads of neighbouring words from one base become one 16-byte load.

#include <cstdint>
#include <vector>

#include "emulator/machine_code/machine_code.h"
#include "ptx/module.h"

namespace optiml::emulator {

struct MergedLoad {
    std::uint8_t bytes = 0;        // a lane, of the machine's load; 0: as in PTX
    bool absent = false;           // part of another load
    std::int32_t displacement = 0; // from the address of the PTX load to that of the machine's
};

// By index of the PTX instruction.
std::vector<MergedLoad> find_merged_loads(const ptx::Function& function, const MachineFunction& machine);

}  // namespace optiml::emulator
