#pragma once

#include <vector>

#include "emulator/counters.h"
#include "emulator/counting/launch_counters.h"
#include "ptx/module.h"

namespace optiml::emulator {

// Additive counters by source line (.loc), sorted by file and line; instructions without a place are left out.
std::vector<LineCounters> line_counters(const ptx::Module& module, const LaunchSummary& summary);

}  // namespace optiml::emulator
