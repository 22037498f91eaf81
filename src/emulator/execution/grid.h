#pragma once

#include "emulator/execution/launch_state.h"

namespace optiml::emulator {

// Runs the blocks that the options select and collects what became of them.
LaunchResult run_grid(LaunchState& state);

}  // namespace optiml::emulator
