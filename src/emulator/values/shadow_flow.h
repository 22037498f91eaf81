#pragma once
// How shadows (values of the wider domain) travel. All but compute and forget_stored are called only when the launch runs wide.

#include "emulator/execution/executor.h"

namespace optiml::emulator::shadow_flow {

// The destinations hold values without shadows.
void forget_destinations(Executor& executor, const Operation& operation, LaneMask lanes);
// The spans' bytes were overwritten with values without shadows.
void forget_stored(const Spans& spans);

// Lane l takes the value of lane from[l].
void shuffle(Executor& executor, const Operation& operation, LaneMask lanes, const std::array<std::uint32_t, kLanes>& from);

// Between memory and the operation's registers, for the spans or lanes of the request.
void load(Executor& executor, const Operation& operation, const Request& request);
void store(Executor& executor, const Operation& operation, const Request& request);
void load_local(Executor& executor, const Operation& operation, const Request& request);
void store_local(Executor& executor, const Operation& operation, const Request& request);
// One value of `bytes` (4 or 8) at `byte` of what a lane of the request accesses through executor.spans.
std::optional<ShadowValue> loaded(const Executor& executor, const Request& request, std::uint32_t lane, std::uint32_t byte, std::uint32_t bytes);
void stored(const Executor& executor, const Request& request, std::uint32_t lane, std::uint32_t byte, std::uint32_t bytes, ShadowValue value);
// Call parameters, as in taint_flow.h.
void load_parameter(Executor& executor, const Operation& operation, LaneMask active);
void store_parameter(Executor& executor, const Operation& operation, LaneMask active);

// One element of one lane of an atomic operation that changed a page's bytes from `old` to `now`: memory takes the result's shadow.
// Returns the shadow that memory had before; nullopt: none.
std::optional<ShadowValue> atomic(Executor& executor, const Operation& operation, std::uint32_t element, std::uint32_t lane, Page& page,
                                  std::uint32_t offset, std::uint64_t old, std::uint64_t now);

}  // namespace optiml::emulator::shadow_flow
