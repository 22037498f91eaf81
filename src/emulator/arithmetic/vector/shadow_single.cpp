// Shadows of f32 arithmetic: the same operation in double.

#include "emulator/arithmetic/vector/shadow.h"

namespace optiml::emulator::OPTIML_LEVEL {
namespace {

using ptx::Opcode;
using ptx::Type;

struct WideAdd {
    double operator()(double a, double b) const { return a + b; }
};
struct WideSubtract {
    double operator()(double a, double b) const { return a - b; }
};
struct WideMultiply {
    double operator()(double a, double b) const { return a * b; }
};
struct WideMultiplyAdd {
    double operator()(double a, double b, double c) const { return __builtin_fma(a, b, c); }
};
struct WideDivide {
    double operator()(double a, double b) const { return a / b; }
};
struct WideReciprocal {
    double operator()(double a) const { return 1 / a; }
};
struct WideSquareRoot {
    double operator()(double a) const { return __builtin_sqrt(a); }
};
struct WideReciprocalSquareRoot {
    double operator()(double a) const { return 1 / __builtin_sqrt(a); }
};
struct WidePowerOfTwo {
    double operator()(double a) const { return __builtin_exp2(a); }
};
struct WideLogarithm {
    double operator()(double a) const { return __builtin_log2(a); }
};
struct WideSine {
    double operator()(double a) const { return __builtin_sin(a); }
};
struct WideCosine {
    double operator()(double a) const { return __builtin_cos(a); }
};
struct WideTangent {
    double operator()(double a) const { return __builtin_tanh(a); }
};

double in_unit(double value) { return value > 0 ? (value < 1 ? value : 1.0) : 0.0; }

template <class Operation, int... Source>
void wide_lanes(const LaneOperands& operands, const ShadowOperands& shadows, LaneMask active) {
    const bool saturate = operands.modifiers->saturate;
    for_lanes(active, [&](int lane) {
        const double value = Operation()(single_value(operands, shadows, Source, lane)...);
        set_single(operands, shadows, lane, saturate ? in_unit(value) : value);
    });
}

// Sums: where one of the terms (the sources from `first` on) is a rounding constant, the bits are meant.
template <class Operation, int first, int... Source>
void wide_sum_lanes(const LaneOperands& operands, const ShadowOperands& shadows, LaneMask active) {
    const auto bits = [&](int source, int lane) { return bits_as<float>(operands.sources[source].words()[lane]); };
    const LaneMask rounding = lanes_with_rounding_constant(operands, shadows, active, first, bits);
    wide_lanes<Operation, Source...>(operands, shadows, active & ~rounding);
    *shadows.destinations[0].valid &= ~rounding;
}

}  // namespace

ShadowFunction find_single_shadow(const Form& form) {
    if (form.type != Type::f32 || rounds_on_purpose(form.modifiers)) return nullptr;
    switch (form.opcode) {
        case Opcode::add: return wide_sum_lanes<WideAdd, 0, 0, 1>;
        case Opcode::sub: return wide_sum_lanes<WideSubtract, 0, 0, 1>;
        case Opcode::mul: return wide_lanes<WideMultiply, 0, 1>;
        case Opcode::fma: case Opcode::mad: return wide_sum_lanes<WideMultiplyAdd, 2, 0, 1, 2>;
        case Opcode::div: return wide_lanes<WideDivide, 0, 1>;
        case Opcode::rcp: return wide_lanes<WideReciprocal, 0>;
        case Opcode::sqrt: return wide_lanes<WideSquareRoot, 0>;
        case Opcode::rsqrt: return wide_lanes<WideReciprocalSquareRoot, 0>;
        case Opcode::ex2: return wide_lanes<WidePowerOfTwo, 0>;
        case Opcode::lg2: return wide_lanes<WideLogarithm, 0>;
        case Opcode::sin: return wide_lanes<WideSine, 0>;
        case Opcode::cos: return wide_lanes<WideCosine, 0>;
        case Opcode::tanh: return wide_lanes<WideTangent, 0>;
        default: return nullptr;
    }
}

}  // namespace optiml::emulator::OPTIML_LEVEL
