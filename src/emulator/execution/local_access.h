#pragma once
// Accesses to memory that has no pages: the threads' local memory and the kernel's parameters.

#include "emulator/execution/executor.h"

namespace optiml::emulator {

// Between executor.staging and local memory. Faulty lanes are reported and taken out of the request.
void load_local(Executor& executor, const Operation& operation, Request& request);
void store_local(Executor& executor, const Operation& operation, Request& request);

void load_kernel_parameters(Executor& executor, const Operation& operation, Request& request);

}  // namespace optiml::emulator
