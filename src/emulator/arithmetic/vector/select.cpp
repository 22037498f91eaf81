// selp.

#include "emulator/arithmetic/vector/by_type.h"
#include "emulator/arithmetic/vector/find.h"

namespace optiml::emulator::OPTIML_LEVEL {
namespace {

using ptx::Opcode;

template <class W>
void select_lanes(const LaneOperands& operands, LaneMask active) {
    const W* first = source_words<W>(operands, 0);
    const W* second = source_words<W>(operands, 1);
    const LaneMask choice = predicate(operands, 2);
    Destination<W> destination(operands.destinations[0], active);
    W* out = destination.words();
    OPTIML_INDEPENDENT_LANES
    for (int lane = 0; lane < kLanes; ++lane) {
        const W chosen = spread<W>(choice, lane);
        out[lane] = (first[lane] & chosen) | (second[lane] & ~chosen);
    }
    destination.finish();
}

}  // namespace

LaneFunction find_select(const Form& form) {
    if (form.opcode != Opcode::selp) return nullptr;
    return is_long(form.type) ? select_lanes<std::uint64_t> : select_lanes<std::uint32_t>;
}

}  // namespace optiml::emulator::OPTIML_LEVEL
