#pragma once
// The rows of special registers.

#include "emulator/execution/block.h"
#include "emulator/execution/launch_state.h"

namespace optiml::emulator {

// Fills the row of a special register for a warp. clock: warp instructions issued on the SM so far, which is what all clocks show.
void fill_special_row(const Row& row, ptx::SpecialRegister special, const LaunchState& state, const Block& block, const Warp& warp,
                      std::uint32_t sm, std::uint64_t clock);

}  // namespace optiml::emulator
