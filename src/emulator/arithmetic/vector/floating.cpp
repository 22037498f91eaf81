// f32 and f64 arithmetic that IEEE 754 defines.

#include "emulator/arithmetic/vector/by_type.h"
#include "emulator/arithmetic/vector/find.h"
#include "emulator/arithmetic/vector/float_operations.h"
#include "emulator/arithmetic/vector/rounding.h"

namespace optiml::emulator::OPTIML_LEVEL {
namespace {

using ptx::Opcode;
using ptx::Rounding;
using ptx::Type;

template <class Operation, int Arity, class T>
void in_scope(const LaneOperands& operands, LaneMask active) {
    const RoundingScope scope(operands.modifiers->rounding, operands.modifiers->ftz);
    uniform<Operation, Arity, T>()(operands, active);
}

template <class Operation, int Arity, class T>
LaneFunction find_rounded(bool nearest, bool flush, bool saturate) {
    if (saturate) return in_scope<Saturated<Operation>, Arity, T>;
    return nearest && !flush ? uniform<Plain<Operation>, Arity, T>() : in_scope<Plain<Operation>, Arity, T>;
}

// Nearest: the same operation, where it may rely on rounding to nearest.
template <class Operation, int Arity, class Nearest = Operation>
LaneFunction find_arithmetic(const Form& form) {
    const auto& modifiers = form.modifiers;
    const bool nearest = modifiers.rounding == Rounding::none || modifiers.rounding == Rounding::rn;
    const auto find = [&]<class T>(T) {
        return nearest ? find_rounded<Nearest, Arity, T>(true, modifiers.ftz, modifiers.saturate)
                       : find_rounded<Operation, Arity, T>(false, modifiers.ftz, modifiers.saturate);
    };
    return form.type == Type::f64 ? find(0.0) : form.type == Type::f32 ? find(0.0f) : nullptr;
}

template <class Operation, int Arity>
LaneFunction find_exact(const Form& form) {
    if (form.type == Type::f64) return uniform<Plain<Operation>, Arity, double>();
    if (form.type != Type::f32) return nullptr;
    return form.modifiers.ftz ? uniform<Flushed<Operation>, Arity, float>() : uniform<Plain<Operation>, Arity, float>();
}

// min and max with .NaN (any NaN wins) and .xorsign.abs (magnitudes are compared, the result's sign is the product's).
template <class Operation>
struct ModifiedExtremum {
    explicit ModifiedExtremum(const ptx::Modifiers& modifiers)
        : flush(modifiers.ftz), propagate(modifiers.propagate_nan), magnitudes(modifiers.xor_sign_abs) {}
    float operator()(float a, float b) const {
        if (flush) {
            a = flushed(a);
            b = flushed(b);
        }
        const std::uint32_t sign = (bits_as<std::uint32_t>(a) ^ bits_as<std::uint32_t>(b)) & FloatLayout<float>::sign;
        if (magnitudes) {
            a = __builtin_fabsf(a);
            b = __builtin_fabsf(b);
        }
        float result = Operation()(a, b);
        if (propagate && (a != a || b != b)) result = bits_as<float>(FloatLayout<float>::canonical_nan);
        result = settle_nan(result);
        return magnitudes && result == result ? bits_as<float>(bits_as<std::uint32_t>(result) | sign) : result;
    }
    bool flush, propagate, magnitudes;
};

template <class Operation>
LaneFunction find_extremum(const Form& form) {
    if (form.type == Type::f32 && (form.modifiers.propagate_nan || form.modifiers.xor_sign_abs))
        return uniform<ModifiedExtremum<Operation>, 2, float>();
    return find_exact<Operation, 2>(form);
}

}  // namespace

LaneFunction find_floating(const Form& form) {
    switch (form.opcode) {
        case Opcode::add: return find_arithmetic<FloatAdd, 2>(form);
        case Opcode::sub: return find_arithmetic<FloatSubtract, 2>(form);
        case Opcode::mul: return find_arithmetic<FloatMultiply, 2>(form);
        case Opcode::mad: case Opcode::fma: return find_arithmetic<FusedMultiplyAdd, 3, FusedMultiplyAddNearest>(form);
        case Opcode::min: return find_extremum<FloatMinimum>(form);
        case Opcode::max: return find_extremum<FloatMaximum>(form);
        case Opcode::abs: return find_exact<FloatAbsolute, 1>(form);
        case Opcode::neg: return find_exact<FloatNegate, 1>(form);
        case Opcode::copysign: return form.type == Type::f64 ? uniform<CopySign, 2, double>() : uniform<CopySign, 2, float>();
        default: break;
    }
    if (form.modifiers.approximation != ptx::Approximation::none) return nullptr;
    switch (form.opcode) {
        case Opcode::div: return find_arithmetic<FloatDivide, 2>(form);
        case Opcode::rcp: return find_arithmetic<FloatReciprocal, 1>(form);
        case Opcode::sqrt: return find_arithmetic<FloatSquareRoot, 1>(form);
        default: return nullptr;
    }
}

}  // namespace optiml::emulator::OPTIML_LEVEL
