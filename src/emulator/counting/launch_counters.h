#pragma once
// Counters of a whole launch from the sums over its SMs.

#include "emulator/counters.h"
#include "emulator/counting/function_profile.h"
#include "emulator/device_model.h"
#include "emulator/emulator.h"
#include "emulator/occupancy.h"

namespace optiml::emulator {

// launch__* values: geometry, resources, occupancy.
Counters launch_counters(const Launch& launch, const DeviceModel& device, const Occupancy& occupancy);

// Additive counters of one machine instruction, and of one PTX instruction's memory accesses, times scale.
void add_executed_counters(const ExecutedInstruction& instruction, double scale, Counters& counters);
void add_access_counters(const ptx::Function& function, std::uint32_t index, const AccessTotals& totals, double scale, Counters& counters);

// All additive counters, what caches and DRAM do, and the ratios derived from them.
void add_execution_counters(const LaunchSummary& summary, Counters& counters);

}  // namespace optiml::emulator
