#pragma once
// Functions that the CUDA runtime provides: vprintf, malloc, free, __assertfail.

#include "emulator/execution/executor.h"

namespace optiml::emulator {

// Calls of other functions without a body are not emulated.
Flow call_builtin(Executor& executor, const Operation& operation, const ptx::Function& function, LaneMask lanes);

}  // namespace optiml::emulator
