#pragma once

#include "emulator/execution/executor.h"

namespace optiml::emulator::race_checker {

void load(Executor& executor, const Operation& operation, const Request& request);
void atomic(Executor& executor, const Operation& operation, const Request& request);
void store(Executor& executor, const Operation& operation, const Request& request);

}  // namespace optiml::emulator::race_checker
