#pragma once

#include <string_view>

#include "base/result.h"
#include "ptx/module.h"

namespace optiml::ptx {

// Parses PTX as NVRTC 12.4-13.x and nvcc emit it, with basic blocks, post-dominators and loops filled in.
// An instruction that is not known parses as Opcode::unknown with its text; anything else out of place is an internal error
// naming the PTX line, since PTX comes from the compiler and not from the user.
Result<Module> parse(std::string_view text);

}  // namespace optiml::ptx
