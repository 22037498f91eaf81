// selp slct.

#include "emulator/arithmetic/vector/by_type.h"
#include "emulator/arithmetic/vector/find.h"
#include "emulator/arithmetic/vector/float_operations.h"

namespace optiml::emulator::OPTIML_LEVEL {
namespace {

using ptx::Opcode;

template <class W>
void select_by(const LaneOperands& operands, LaneMask choice, LaneMask active) {
    const W* first = source_words<W>(operands, 0);
    const W* second = source_words<W>(operands, 1);
    Destination<W> destination(operands.destinations[0], active);
    W* out = destination.words();
    OPTIML_INDEPENDENT_LANES
    for (int lane = 0; lane < kLanes; ++lane) {
        const W chosen = spread<W>(choice, lane);
        out[lane] = (first[lane] & chosen) | (second[lane] & ~chosen);
    }
    destination.finish();
}

template <class W>
void select_lanes(const LaneOperands& operands, LaneMask active) {
    select_by<W>(operands, predicate(operands, 2), active);
}

// The first where the third source is not negative, else (also for a NaN) the second.
template <class W, class Selector>
void select_by_sign(const LaneOperands& operands, LaneMask active) {
    const Word<Selector>* selector = source_words<Selector>(operands, 2);
    const bool flush = operands.modifiers->ftz;
    LaneMask choice = 0;
    for (int lane = 0; lane < kLanes; ++lane) {
        Selector value = from_word<Selector>(selector[lane]);
        if constexpr (std::is_floating_point_v<Selector>) value = flush ? flushed(value) : value;
        choice |= static_cast<LaneMask>(value >= 0) << lane;
    }
    select_by<W>(operands, choice, active);
}

template <class W>
LaneFunction find_of_width(const Form& form) {
    if (form.opcode == Opcode::selp) return select_lanes<W>;
    return form.modifiers.source_type == ptx::Type::f32 ? select_by_sign<W, float> : select_by_sign<W, std::int32_t>;
}

}  // namespace

LaneFunction find_select(const Form& form) {
    if (form.opcode != Opcode::selp && form.opcode != Opcode::slct) return nullptr;
    return is_long(form.type) ? find_of_width<std::uint64_t>(form) : find_of_width<std::uint32_t>(form);
}

}  // namespace optiml::emulator::OPTIML_LEVEL
