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
void in_direction(const LaneOperands& operands, LaneMask active) {
    const RoundingScope scope(operands.modifiers->rounding);
    uniform<Operation, Arity, T>()(operands, active);
}

// Nearest: the same operation, where it may rely on rounding to nearest.
template <class Operation, int Arity, class Nearest = Operation>
LaneFunction find_rounded(const Form& form) {
    const auto& modifiers = form.modifiers;
    const bool nearest = modifiers.rounding == Rounding::none || modifiers.rounding == Rounding::rn;
    if (form.type == Type::f64)
        return nearest ? uniform<Plain<Nearest>, Arity, double>() : in_direction<Plain<Operation>, Arity, double>;
    if (form.type != Type::f32) return nullptr;
    if (!nearest || modifiers.saturate) return in_direction<Modified<Operation>, Arity, float>;
    return modifiers.ftz ? uniform<Flushed<Nearest>, Arity, float>() : uniform<Plain<Nearest>, Arity, float>();
}

template <class Operation, int Arity>
LaneFunction find_exact(const Form& form) {
    if (form.type == Type::f64) return uniform<Operation, Arity, double>();
    if (form.type != Type::f32) return nullptr;
    return form.modifiers.ftz ? uniform<Flushed<Operation>, Arity, float>() : uniform<Operation, Arity, float>();
}

}  // namespace

LaneFunction find_floating(const Form& form) {
    switch (form.opcode) {
        case Opcode::add: return find_rounded<FloatAdd, 2>(form);
        case Opcode::sub: return find_rounded<FloatSubtract, 2>(form);
        case Opcode::mul: return find_rounded<FloatMultiply, 2>(form);
        case Opcode::mad: case Opcode::fma: return find_rounded<FusedMultiplyAdd, 3, FusedMultiplyAddNearest>(form);
        case Opcode::min: return find_exact<FloatMinimum, 2>(form);
        case Opcode::max: return find_exact<FloatMaximum, 2>(form);
        case Opcode::abs: return find_exact<FloatAbsolute, 1>(form);
        case Opcode::neg: return find_exact<FloatNegate, 1>(form);
        case Opcode::copysign: return find_exact<CopySign, 2>(form);
        default: break;
    }
    if (form.modifiers.approximation != ptx::Approximation::none) return nullptr;
    switch (form.opcode) {
        case Opcode::div: return find_rounded<FloatDivide, 2>(form);
        case Opcode::rcp: return find_rounded<FloatReciprocal, 1>(form);
        case Opcode::sqrt: return find_rounded<FloatSquareRoot, 1>(form);
        default: return nullptr;
    }
}

}  // namespace optiml::emulator::OPTIML_LEVEL
