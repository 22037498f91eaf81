#pragma once
// How shadows are read and written: the wider values beside f32 and f64 registers (lanes.h).

#include "emulator/arithmetic/vector/apply.h"
#include "emulator/arithmetic/vector/double_double.h"
#include "emulator/arithmetic/vector/find.h"

namespace optiml::emulator::OPTIML_LEVEL {

ShadowFunction find_single_shadow(const Form& form);
ShadowFunction find_double_shadow(const Form& form);
ShadowFunction find_conversion_shadow(const Form& form);
ShadowFunction find_copied_shadow(const Form& form);
ShadowFunction find_bits_shadow(const Form& form);

// Calls `work(lane)` for each active lane.
template <class Work>
void for_lanes(LaneMask active, Work work) {
    for (LaneMask left = active; left != 0; left &= left - 1) work(__builtin_ctz(left));
}

inline bool has_shadow(const ShadowRow& row, int lane) { return (*row.valid >> lane & 1) != 0; }

inline void set_shadow(const ShadowRow& row, int lane, double high, double low) {
    row.high[lane] = high;
    row.low[lane] = low;
    *row.valid |= LaneMask{1} << lane;
}
inline void drop_shadow(const ShadowRow& row, int lane) { *row.valid &= ~(LaneMask{1} << lane); }

inline void copy_shadow(const ShadowRow& to, const ShadowRow& from, int lane) {
    if (has_shadow(from, lane)) set_shadow(to, lane, from.high[lane], from.low[lane]);
    else drop_shadow(to, lane);
}

// mov.b64 {a, b} of an f64 with a shadow gives both halves that shadow, with a low part that is never zero, so that a half is not
// taken for an f32. This stands for a low part of zero.
constexpr double kZeroLowOfHalf = 0x1p-1074;
inline bool is_half_of_double(const ShadowRow& row, int lane) { return has_shadow(row, lane) && row.low[lane] != 0; }

// A source's wider value: its shadow, or that of its bits.
inline double single_value(const LaneOperands& operands, const ShadowOperands& shadows, int source, int lane) {
    const ShadowRow& row = shadows.sources[source];
    if (has_shadow(row, lane) && row.low[lane] == 0) return row.high[lane];
    return bits_as<float>(operands.sources[source].words()[lane]);
}
inline DoubleDouble double_value(const LaneOperands& operands, const ShadowOperands& shadows, int source, int lane) {
    const ShadowRow& row = shadows.sources[source];
    if (has_shadow(row, lane)) return {row.high[lane], row.low[lane]};
    return {bits_as<double>(operands.sources[source].longs()[lane]), 0};
}

// Sets destination 0. A wider value that is no number beside bits that are one says nothing, and is dropped.
inline void set_single(const LaneOperands& operands, const ShadowOperands& shadows, int lane, double value) {
    const float bits = bits_as<float>(operands.destinations[0].words()[lane]);
    if (value != value && bits == bits) return drop_shadow(shadows.destinations[0], lane);
    set_shadow(shadows.destinations[0], lane, value, 0);
}
inline void set_double(const LaneOperands& operands, const ShadowOperands& shadows, int lane, DoubleDouble value) {
    const double bits = bits_as<double>(operands.destinations[0].longs()[lane]);
    if (value.high != value.high && bits == bits) return drop_shadow(shadows.destinations[0], lane);
    set_shadow(shadows.destinations[0], lane, value.high, value.low);
}

// Results that are meant to be rounded follow the bits: those with a direction other than nearest, ...
inline bool rounds_on_purpose(const ptx::Modifiers& modifiers) {
    return modifiers.rounding != ptx::Rounding::none && modifiers.rounding != ptx::Rounding::rn;
}
// ... and sums with the constants 2^23 or 1.5 * 2^23 (2^52 of f64) and a little more, by which code rounds to whole numbers.
inline bool is_rounding_constant(float value) {
    const float magnitude = __builtin_fabsf(value);
    return magnitude == 0x1p23f || (magnitude >= 0x1.8p23f && magnitude < 0x1.8p23f + 512);
}
inline bool is_rounding_constant(double value) {
    const double magnitude = __builtin_fabs(value);
    return magnitude == 0x1p52 || (magnitude >= 0x1.8p52 && magnitude < 0x1.8p52 + 2048);
}

// The lanes in which one of a sum's terms (the sources from `first` on) is such a constant. bits: a source's own value in a lane.
template <class Bits>
LaneMask lanes_with_rounding_constant(const LaneOperands& operands, const ShadowOperands& shadows, LaneMask active, int first, Bits bits) {
    LaneMask rounding = 0;
    for_lanes(active, [&](int lane) {
        for (int source = first; source < operands.source_count; ++source) {
            if (!has_shadow(shadows.sources[source], lane) && is_rounding_constant(bits(source, lane))) rounding |= LaneMask{1} << lane;
        }
    });
    return rounding;
}

}  // namespace optiml::emulator::OPTIML_LEVEL
