#pragma once
// What accesses stronger than weak do to the order of others.

#include "emulator/execution/executor.h"

namespace optiml::emulator {

// Before the race checks of a strong load or atomic: its warp sees what was released at the addresses.
void see_releases(Executor& executor, const Operation& operation, const Request& request);
// After those of a strong store or atomic: others that read the addresses see what the warp released.
void release(Executor& executor, const Operation& operation, const Request& request);

}  // namespace optiml::emulator
