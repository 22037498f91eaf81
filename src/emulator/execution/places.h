#pragma once

#include "ptx/module.h"

namespace optiml::emulator {

// Where the author of the kernel finds an instruction: for code inlined from another file (a toolkit's header) the line of the call.
inline ptx::Place user_place(const ptx::Instruction& instruction) {
    const bool from_elsewhere = instruction.inlined_at.line != 0 && instruction.inlined_at.file != instruction.place.file;
    return from_elsewhere ? instruction.inlined_at : instruction.place;
}

}  // namespace optiml::emulator
