#include "emulator/checks/taint_flow.h"

namespace optiml::emulator::taint_flow {

void compute(Executor&, const Operation&, LaneMask) {}
void shuffle(Executor&, const Operation&, LaneMask, const std::array<std::uint32_t, kLanes>&, LaneMask) {}
void combine_lanes(Executor&, const Operation&, LaneMask) {}
void clear_destinations(Executor&, const Operation&, LaneMask) {}
void reaches_guard(Executor&, const Operation&, LaneMask) {}
void reaches_address(Executor&, const Operation&, LaneMask) {}
void reaches_store(Executor&, const Operation&, LaneMask) {}
void reaches_atomic(Executor&, const Operation&, const Request&) {}
void load(Executor&, const Operation&, const Request&) {}
void store(Executor&, const Operation&, const Request&) {}
void load_local(Executor&, const Operation&, const Request&) {}
void store_local(Executor&, const Operation&, const Request&) {}

}  // namespace optiml::emulator::taint_flow
