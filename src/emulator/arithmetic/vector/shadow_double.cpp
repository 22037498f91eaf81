// Shadows of f64 arithmetic: the same operation on double-doubles. The start values of iterations become the exact function already.

#include "emulator/arithmetic/vector/shadow.h"

namespace optiml::emulator::OPTIML_LEVEL {
namespace {

using ptx::Opcode;
using ptx::Type;

struct WideAdd {
    DoubleDouble operator()(DoubleDouble a, DoubleDouble b) const { return sum(a, b); }
};
struct WideSubtract {
    DoubleDouble operator()(DoubleDouble a, DoubleDouble b) const { return sum(a, negated(b)); }
};
struct WideMultiply {
    DoubleDouble operator()(DoubleDouble a, DoubleDouble b) const { return product(a, b); }
};
struct WideMultiplyAdd {
    DoubleDouble operator()(DoubleDouble a, DoubleDouble b, DoubleDouble c) const { return sum(product(a, b), c); }
};
struct WideDivide {
    DoubleDouble operator()(DoubleDouble a, DoubleDouble b) const { return quotient(a, b); }
};
struct WideReciprocal {
    DoubleDouble operator()(DoubleDouble a) const { return quotient({1, 0}, a); }
};
struct WideSquareRoot {
    DoubleDouble operator()(DoubleDouble a) const { return square_root(a); }
};
struct WideReciprocalSquareRoot {
    DoubleDouble operator()(DoubleDouble a) const { return quotient({1, 0}, square_root(a)); }
};

template <class Operation, int... Source>
void wide_lanes(const LaneOperands& operands, const ShadowOperands& shadows, LaneMask active) {
    for_lanes(active, [&](int lane) {
        set_double(operands, shadows, lane, Operation()(double_value(operands, shadows, Source, lane)...));
    });
}

template <class Operation, int first, int... Source>
void wide_sum_lanes(const LaneOperands& operands, const ShadowOperands& shadows, LaneMask active) {
    const auto bits = [&](int source, int lane) { return bits_as<double>(operands.sources[source].longs()[lane]); };
    const LaneMask rounding = lanes_with_rounding_constant(operands, shadows, active, first, bits);
    wide_lanes<Operation, Source...>(operands, shadows, active & ~rounding);
    *shadows.destinations[0].valid &= ~rounding;
}

}  // namespace

ShadowFunction find_double_shadow(const Form& form) {
    if (form.type != Type::f64 || rounds_on_purpose(form.modifiers)) return nullptr;
    switch (form.opcode) {
        case Opcode::add: return wide_sum_lanes<WideAdd, 0, 0, 1>;
        case Opcode::sub: return wide_sum_lanes<WideSubtract, 0, 0, 1>;
        case Opcode::mul: return wide_lanes<WideMultiply, 0, 1>;
        case Opcode::fma: case Opcode::mad: return wide_sum_lanes<WideMultiplyAdd, 2, 0, 1, 2>;
        case Opcode::div: return wide_lanes<WideDivide, 0, 1>;
        case Opcode::rcp: return wide_lanes<WideReciprocal, 0>;
        case Opcode::sqrt: return wide_lanes<WideSquareRoot, 0>;
        case Opcode::rsqrt: return wide_lanes<WideReciprocalSquareRoot, 0>;
        default: return nullptr;
    }
}

}  // namespace optiml::emulator::OPTIML_LEVEL
