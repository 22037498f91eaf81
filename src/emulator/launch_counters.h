#pragma once
// Counters of a whole launch from the sums over its SMs.

#include "emulator/counters.h"
#include "emulator/device_model.h"
#include "emulator/emulator.h"
#include "emulator/occupancy.h"
#include "emulator/sm_observer.h"

namespace optiml::emulator {

// launch__* values: geometry, resources, occupancy.
Counters launch_counters(const Launch& launch, const DeviceModel& device, const Occupancy& occupancy);

// Additive counters of one instruction, by name; scale: see CounterCollector.
void add_instruction_counters(const ptx::Function& function, std::uint32_t index, const FunctionTotals& totals, double scale,
                              Counters& counters);

// Everything that was executed, and the ratios derived from it.
void add_execution_counters(const ptx::Module& module, const SmTotals& totals, double scale, Counters& counters);

}  // namespace optiml::emulator
