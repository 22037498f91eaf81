#include "emulator/checks/race_checker.h"

namespace optiml::emulator::race_checker {

void load(Executor&, const Operation&, const Request&) {}
void atomic(Executor&, const Operation&, const Request&) {}
void store(Executor&, const Operation&, const Request&) {}

}  // namespace optiml::emulator::race_checker
