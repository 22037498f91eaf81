#pragma once
// Barriers of a block.

#include "emulator/execution/executor.h"

namespace optiml::emulator {

// Opens every barrier of the block that has all the threads it waits for; after threads arrived or ended.
void open_barriers(Executor& executor, Block& block);

// Nothing in the block can go on and threads wait at barriers: reports where.
void report_stuck_barriers(Executor& executor, Block& block);

}  // namespace optiml::emulator
