#pragma once

#include "emulator/execution/warp.h"

namespace optiml::emulator {

// Copies what lanes of a path return into the caller's variables; before they leave the path.
void return_values(Path& path, LaneMask lanes);

}  // namespace optiml::emulator
