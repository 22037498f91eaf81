#pragma once
// How long a warp takes that has the SM to itself: machine code issues in order, waits for the cycles that the compiler set and for
// the scoreboards of results that arrive after a latency.

#include <array>
#include <functional>
#include <vector>

#include "emulator/machine_code/machine_code.h"
#include "emulator/machine_code/machine_profile.h"

namespace optiml::emulator {

// What a warp waits for.
enum class Wait : std::uint8_t { issue, global, shared, constant, special, exchange, barrier, count };

struct ResultLatency {
    Wait wait = Wait::issue;
    double cycles = 0;  // from issue to the result
};

using LatencyOf = std::function<ResultLatency(const MachineInstruction&)>;

// Cycles by what they are spent on.
using WarpCycles = std::array<double, static_cast<std::size_t>(Wait::count)>;

// Mean over the warps that enter the function. Loads in flight at a loop's end are waited for in its next round.
WarpCycles warp_cycles(const MachineFunction& machine, const MachineProfile& profile, double warps, const LatencyOf& latency_of);

}  // namespace optiml::emulator
