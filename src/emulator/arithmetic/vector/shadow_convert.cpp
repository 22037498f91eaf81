// Shadows of cvt to f32 and f64. Rounding to whole numbers and in a direction follows the bits.

#include "emulator/arithmetic/vector/convert.h"
#include "emulator/arithmetic/vector/shadow.h"

namespace optiml::emulator::OPTIML_LEVEL {
namespace {

using ptx::Type;

double in_unit(double value) { return value > 0 ? (value < 1 ? value : 1.0) : 0.0; }

void single_to_single(const LaneOperands& operands, const ShadowOperands& shadows, LaneMask active) {
    for_lanes(active, [&](int lane) {
        const double value = single_value(operands, shadows, 0, lane);
        set_single(operands, shadows, lane, operands.modifiers->saturate ? in_unit(value) : value);
    });
}
void single_to_double(const LaneOperands& operands, const ShadowOperands& shadows, LaneMask active) {
    for_lanes(active, [&](int lane) { set_double(operands, shadows, lane, {single_value(operands, shadows, 0, lane), 0}); });
}
void double_to_single(const LaneOperands& operands, const ShadowOperands& shadows, LaneMask active) {
    for_lanes(active, [&](int lane) { set_single(operands, shadows, lane, double_value(operands, shadows, 0, lane).high); });
}

// An integer is exact: as a double up to 53 bits, as a double-double always.
DoubleDouble integer_value(const LaneOperands& operands, int lane) {
    const Row& row = operands.sources[0];
    const Type type = operands.modifiers->source_type;
    const int shift = 64 - integer_bits(type);
    const std::uint64_t word = row.width == 64 ? row.longs()[lane] : row.words()[lane], top = word << shift;
    const std::uint64_t upper = top >> 32 << 32, lower = top & 0xffffffffu;
    const double scale = bits_as<double>(static_cast<std::uint64_t>(1023 - shift) << 52);
    const double high = is_signed_integer(type) ? static_cast<double>(static_cast<std::int64_t>(upper)) : static_cast<double>(upper);
    const DoubleDouble exact = two_sum(high, static_cast<double>(lower));
    return {exact.high * scale, exact.low * scale};
}
void integer_to_single(const LaneOperands& operands, const ShadowOperands& shadows, LaneMask active) {
    for_lanes(active, [&](int lane) { set_single(operands, shadows, lane, integer_value(operands, lane).high); });
}
void integer_to_double(const LaneOperands& operands, const ShadowOperands& shadows, LaneMask active) {
    for_lanes(active, [&](int lane) { set_double(operands, shadows, lane, integer_value(operands, lane)); });
}

}  // namespace

ShadowFunction find_conversion_shadow(const Form& form) {
    const Type from = form.modifiers.source_type;
    if (form.opcode != ptx::Opcode::cvt || rounds_on_purpose(form.modifiers)) return nullptr;
    if (form.type == Type::f32) {
        if (from == Type::f32) return single_to_single;
        if (from == Type::f64) return double_to_single;
        return integer_bits(from) >= 32 ? integer_to_single : nullptr;
    }
    if (form.type == Type::f64) {
        if (from == Type::f32) return single_to_double;
        return integer_bits(from) == 64 ? integer_to_double : nullptr;
    }
    return nullptr;
}

}  // namespace optiml::emulator::OPTIML_LEVEL
