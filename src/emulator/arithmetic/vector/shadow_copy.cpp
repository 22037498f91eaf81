// Shadows of what copies one of its sources, at most with another sign: mov selp min max neg abs copysign.

#include "emulator/arithmetic/vector/by_type.h"
#include "emulator/arithmetic/vector/shadow.h"

namespace optiml::emulator::OPTIML_LEVEL {
namespace {

using ptx::Opcode;
using ptx::Type;

void copied(const LaneOperands&, const ShadowOperands& shadows, LaneMask active) {
    for_lanes(active, [&](int lane) { copy_shadow(shadows.destinations[0], shadows.sources[0], lane); });
}

void selected(const LaneOperands& operands, const ShadowOperands& shadows, LaneMask active) {
    const LaneMask choice = predicate(operands, 2);
    for_lanes(active, [&](int lane) { copy_shadow(shadows.destinations[0], shadows.sources[choice >> lane & 1 ? 0 : 1], lane); });
}

// {low, high} = f64: both halves remember it.
void unpacked(const LaneOperands& operands, const ShadowOperands& shadows, LaneMask active) {
    const ShadowRow& from = shadows.sources[0];
    for (int element = 0; element < operands.destination_count; ++element) {
        const ShadowRow& to = shadows.destinations[element];
        for_lanes(active, [&](int lane) {
            if (has_shadow(from, lane)) set_shadow(to, lane, from.high[lane], from.low[lane] == 0 ? kZeroLowOfHalf : from.low[lane]);
            else drop_shadow(to, lane);
        });
    }
}

// f64 = {low, high}: the upper half's shadow, if the lower half comes from the same value; the upper one may have been scaled.
void packed(const LaneOperands&, const ShadowOperands& shadows, LaneMask active) {
    constexpr std::uint64_t fraction = (1ull << 52) - 1;
    const ShadowRow& lower = shadows.sources[0];
    const ShadowRow& upper = shadows.sources[1];
    for_lanes(active, [&](int lane) {
        const bool halves = is_half_of_double(lower, lane) && is_half_of_double(upper, lane);
        const bool same = halves && ((bits_as<std::uint64_t>(lower.high[lane]) ^ bits_as<std::uint64_t>(upper.high[lane])) & fraction) == 0;
        const double low = same && upper.low[lane] != kZeroLowOfHalf ? upper.low[lane] : 0.0;
        if (same) set_shadow(shadows.destinations[0], lane, upper.high[lane], low);
        else drop_shadow(shadows.destinations[0], lane);
    });
}

// Makes the shadow's sign or size that of the bits, in terms of f32 or f64 words.
template <class W>
struct Words {
    static constexpr W sign = W{1} << (8 * sizeof(W) - 1);
    static W source(const LaneOperands& operands, int index, int lane) { return static_cast<const W*>(operands.sources[index].data)[lane]; }
    static W result(const LaneOperands& operands, int lane) { return static_cast<const W*>(operands.destinations[0].data)[lane]; }
    static double value(W word) {
        if constexpr (sizeof(W) == 4) return bits_as<float>(word);
        else return bits_as<double>(word);
    }
    static bool is_value(const ShadowRow& row, int lane) { return has_shadow(row, lane) && (sizeof(W) == 8 || row.low[lane] == 0); }
};

// neg, abs and copysign flip the shadow where they flip the bits.
template <class W, int source>
void signed_like_bits(const LaneOperands& operands, const ShadowOperands& shadows, LaneMask active) {
    const ShadowRow& from = shadows.sources[source];
    for_lanes(active, [&](int lane) {
        if (!Words<W>::is_value(from, lane)) return drop_shadow(shadows.destinations[0], lane);
        const bool flips = ((Words<W>::source(operands, source, lane) ^ Words<W>::result(operands, lane)) & Words<W>::sign) != 0;
        const double factor = flips ? -1.0 : 1.0;
        set_shadow(shadows.destinations[0], lane, factor * from.high[lane], factor * from.low[lane]);
    });
}

// min and max take the source that the bits took; of equal bits the one whose wider value says so.
template <class W, bool maximum>
void extremum(const LaneOperands& operands, const ShadowOperands& shadows, LaneMask active) {
    const bool plain = !operands.modifiers->xor_sign_abs;
    for_lanes(active, [&](int lane) {
        const W bits[] = {Words<W>::source(operands, 0, lane), Words<W>::source(operands, 1, lane)};
        const W result = Words<W>::result(operands, lane);
        int taken = result == bits[0] ? 0 : 1;
        if (bits[0] == bits[1]) {
            double values[2];
            for (int source = 0; source < 2; ++source) {
                const ShadowRow& row = shadows.sources[source];
                values[source] = Words<W>::is_value(row, lane) ? row.high[lane] : Words<W>::value(bits[source]);
            }
            taken = (values[1] > values[0]) == maximum ? 1 : 0;
        }
        if (plain && result == bits[taken] && Words<W>::is_value(shadows.sources[taken], lane))
            copy_shadow(shadows.destinations[0], shadows.sources[taken], lane);
        else
            drop_shadow(shadows.destinations[0], lane);
    });
}

std::uint32_t elements(const std::vector<ptx::Operand>& operands) {
    if (operands.size() != 1) return static_cast<std::uint32_t>(operands.size());
    return operands[0].kind == ptx::OperandKind::vector ? operands[0].count : 1;
}

ShadowFunction find_moved(const Form& form) {
    const std::uint32_t sources = elements(form.instruction.sources), destinations = elements(form.instruction.destinations);
    const std::uint32_t width = row_width(form.type);
    if (sources == 1 && destinations == 1) return width == 32 || width == 64 ? copied : nullptr;
    if (width != 64 || sources + destinations != 3) return nullptr;
    return destinations == 2 ? unpacked : packed;
}

template <class W>
ShadowFunction find_of_width(Opcode opcode) {
    switch (opcode) {
        case Opcode::neg: case Opcode::abs: return signed_like_bits<W, 0>;
        case Opcode::copysign: return signed_like_bits<W, 1>;
        case Opcode::min: return extremum<W, false>;
        case Opcode::max: return extremum<W, true>;
        default: return nullptr;
    }
}

}  // namespace

ShadowFunction find_copied_shadow(const Form& form) {
    const std::uint32_t width = row_width(form.type);
    if (form.opcode == Opcode::mov) return find_moved(form);
    if (form.opcode == Opcode::selp) return width == 32 || width == 64 ? selected : nullptr;
    if (form.type == Type::f32) return find_of_width<std::uint32_t>(form.opcode);
    return form.type == Type::f64 ? find_of_width<std::uint64_t>(form.opcode) : nullptr;
}

}  // namespace optiml::emulator::OPTIML_LEVEL
