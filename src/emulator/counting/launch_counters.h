#pragma once
// Counters of a whole launch from the sums over its SMs.

#include <vector>

#include "emulator/counters.h"
#include "emulator/counting/memory_traffic.h"
#include "emulator/counting/sm_observer.h"
#include "emulator/device_model.h"
#include "emulator/emulator.h"
#include "emulator/machine_code/executed_instructions.h"
#include "emulator/occupancy.h"

namespace optiml::emulator {

// What one function of the module did in a launch.
struct FunctionProfile {
    const ptx::Function* function = nullptr;
    std::vector<ExecutedInstruction> executed;
    std::vector<AccessTotals> accesses;     // by PTX instruction, as the machine code performs them
};

struct LaunchSummary {
    SmTotals totals;                        // of all SMs
    std::vector<FunctionProfile> profiles;  // of the functions that ran, in the module's order
    MemoryTraffic traffic;
    double scale = 1;                       // blocks of the grid a block that ran
    const DeviceModel* device = nullptr;
};

std::vector<FunctionProfile> function_profiles(const Launch& launch, const SmTotals& totals);

// launch__* values: geometry, resources, occupancy.
Counters launch_counters(const Launch& launch, const DeviceModel& device, const Occupancy& occupancy);

// Additive counters of one machine instruction, and of one PTX instruction's memory accesses, times scale.
void add_executed_counters(const ExecutedInstruction& instruction, double scale, Counters& counters);
void add_access_counters(const ptx::Function& function, std::uint32_t index, const AccessTotals& totals, double scale, Counters& counters);

// All additive counters, what caches and DRAM do, and the ratios derived from them.
void add_execution_counters(const LaunchSummary& summary, Counters& counters);

}  // namespace optiml::emulator
