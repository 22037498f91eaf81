#pragma once
// One access from request to bytes, for instructions that make several of them.

#include "emulator/execution/executor.h"

namespace optiml::emulator {

// Global, constant and shared memory. Forms the request's spans, checks bounds and races, and copies the bytes into executor.staging.
// Faulty lanes leave the request, and their bytes are zero.
void load_pages(Executor& executor, const Operation& operation, Request& request);
// The same from executor.staging into memory.
void store_pages(Executor& executor, const Operation& operation, Request& request);

}  // namespace optiml::emulator
