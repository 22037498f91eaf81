#pragma once
// The levels of x86-64 for which the lane functions are compiled. All give the same bits.

#include "emulator/lanes.h"

namespace optiml::emulator {

enum class Level { baseline, v3, v4 };

bool is_offered(Level level);  // by this CPU
Level best_level();

// As those of lanes.h, at a level that the CPU offers.
LaneFunction find_lane_function(Level level, const ptx::Function& function, const ptx::Instruction& instruction);
ShadowFunction find_shadow_function(Level level, const ptx::Function& function, const ptx::Instruction& instruction);

}  // namespace optiml::emulator
