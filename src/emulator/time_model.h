#pragma once
// The time of one launch from its counters, as terms by name that overlap: their p-norm (fitted by tools/fit_time_model.py).

#include <map>
#include <string>

#include "emulator/counters.h"
#include "emulator/device_model.h"

namespace optiml::emulator {

struct ModelledTime {
    double cold_ms = 0;  // from the launch to the end, L2 empty before, launch overhead included
    double warm_ms = 0;  // the same launch repeated at once
    // What each resource alone would take, in ms, by name ("model_term__dram_ms", ...). They overlap: their sum is more than the time.
    std::map<std::string, double> terms;
};

// counters: of one launch, as CounterCollector gives them, or a card's own under the same names (with launch__grid_size and the like).
ModelledTime model_time(const Counters& counters, const DeviceModel& device);

// What the first of several launches takes beyond the sum of their times, in ms.
double first_launch_ms(const DeviceModel& device);

}  // namespace optiml::emulator
