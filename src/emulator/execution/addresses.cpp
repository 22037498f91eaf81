// cvta and isspacep.

#include "emulator/execution/executor.h"
#include "emulator/execution/handlers.h"
#include "emulator/storage/address_space.h"

namespace optiml::emulator::handlers {
namespace {

std::uint64_t element(const Row& row, int lane) { return row.width == 64 ? row.longs()[lane] : row.words()[lane]; }

void set_element(const Row& row, int lane, std::uint64_t value) {
    if (row.width == 64)
        row.longs()[lane] = value;
    else
        row.words()[lane] = static_cast<std::uint32_t>(value);
}

}  // namespace

Flow convert_address(Executor& executor, const Operation& operation, LaneMask active) {
    const ptx::Modifiers& modifiers = operation.instruction->modifiers;
    const std::uint64_t window = window_of(modifiers.space);
    const std::uint64_t shift = modifiers.to ? 0 - window : window;
    const Row from = executor.source(operation, 0);
    const Row to = executor.destination(operation, 0);
    for (int lane = 0; lane < kLanes; ++lane)
        if ((active >> lane & 1) != 0) set_element(to, lane, element(from, lane) + shift);
    return Flow::next;
}

Flow is_space(Executor& executor, const Operation& operation, LaneMask active) {
    const Row from = executor.source(operation, 0);
    LaneMask inside = 0;
    for (int lane = 0; lane < kLanes; ++lane)
        if (space_of(element(from, lane)) == operation.instruction->modifiers.space) inside |= 1u << lane;
    LaneMask& predicate = *executor.destination(operation, 0).words();
    predicate = (predicate & ~active) | (inside & active);
    return Flow::next;
}

}  // namespace optiml::emulator::handlers
