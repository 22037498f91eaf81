#pragma once
// What one function of a module did in a launch, as its machine code did it.

#include <vector>

#include "emulator/counting/memory_traffic.h"
#include "emulator/counting/sm_observer.h"
#include "emulator/emulator.h"
#include "emulator/machine_code/executed_instructions.h"
#include "emulator/machine_code/warp_timing.h"

namespace optiml::emulator {

struct FunctionProfile {
    const ptx::Function* function = nullptr;
    std::vector<ExecutedInstruction> executed;
    std::vector<AccessTotals> accesses;     // by PTX instruction
    WarpCycles cycles{};                    // of a warp alone, mean over the launch's warps
};

struct LaunchSummary {
    SmTotals totals;                        // of all SMs
    std::vector<FunctionProfile> profiles;  // of the functions that ran, in the module's order
    MemoryTraffic traffic;
    double scale = 1;                       // blocks of the grid a block that ran
    std::size_t groups = 0;                 // SMs, or groups of sampled blocks, that ran
    const DeviceModel* device = nullptr;
};

std::vector<FunctionProfile> function_profiles(const Launch& launch, const DeviceModel& device, const SmTotals& totals,
                                               const MemoryTraffic& traffic, double scale);

}  // namespace optiml::emulator
