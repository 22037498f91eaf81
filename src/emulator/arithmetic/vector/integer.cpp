// add sub mul mad mul24 mad24 neg abs min max sad div rem of integers.

#include "emulator/arithmetic/vector/by_type.h"
#include "emulator/arithmetic/vector/find.h"
#include "emulator/arithmetic/vector/integer_operations.h"

namespace optiml::emulator::OPTIML_LEVEL {
namespace {

using ptx::Half;
using ptx::Opcode;
using ptx::Type;

template <class Narrow, class Wide>
LaneFunction find_wide(bool add) {
    return add ? map_lanes<MultiplyWideAdd, Wide, Narrow, Narrow, Wide> : map_lanes<MultiplyWide, Wide, Narrow, Narrow>;
}

LaneFunction find_multiply_wide(Type type, bool add) {
    switch (type) {
        case Type::u16: return find_wide<std::uint16_t, std::uint32_t>(add);
        case Type::s16: return find_wide<std::int16_t, std::int32_t>(add);
        case Type::u32: return find_wide<std::uint32_t, std::uint64_t>(add);
        case Type::s32: return find_wide<std::int32_t, std::int64_t>(add);
        default: return nullptr;
    }
}

LaneFunction find_multiply(const Form& form) {
    const bool add = form.opcode == Opcode::mad;
    if (form.modifiers.half == Half::wide) return find_multiply_wide(form.type, add);
    if (form.modifiers.half == Half::lo) return add ? by_width<MultiplyAdd, 3>(form.type) : by_width<Multiply, 2>(form.type);
    if (form.modifiers.half != Half::hi) return nullptr;
    if (form.modifiers.saturate) return add && form.type == Type::s32 ? uniform<MultiplyHighAddSaturated, 3, std::int32_t>() : nullptr;
    return add ? by_integer<MultiplyHighAdd, 3>(form.type) : by_integer<MultiplyHigh, 2>(form.type);
}

template <class Operation, int Arity>
LaneFunction find_word(Type type) {
    switch (type) {
        case Type::u32: return uniform<Operation, Arity, std::uint32_t>();
        case Type::s32: return uniform<Operation, Arity, std::int32_t>();
        default: return nullptr;
    }
}

// Both halves of a word, or integers with .relu (s32 and s16x2 only).
template <class Operation>
LaneFunction find_extremum(const Form& form) {
    if (form.type == Type::u16x2) return uniform<OnHalves<Operation, std::uint16_t>, 2, std::uint32_t>();
    if (!form.modifiers.relu)
        return form.type == Type::s16x2 ? uniform<OnHalves<Operation, std::int16_t>, 2, std::uint32_t>() : by_integer<Operation, 2>(form.type);
    if (form.type == Type::s16x2) return uniform<OnHalves<NotNegative<Operation>, std::int16_t>, 2, std::uint32_t>();
    return form.type == Type::s32 ? uniform<NotNegative<Operation>, 2, std::int32_t>() : nullptr;
}

template <class Operation>
LaneFunction find_division(Type type) {
    switch (type) {
        case Type::u16: return map_lanes<Operation, std::uint16_t, std::uint16_t, std::uint16_t>;
        case Type::s16: return map_lanes<Operation, std::int16_t, std::int16_t, std::int16_t>;
        case Type::u32: return map_lanes<Operation, std::uint32_t, std::uint32_t, std::uint32_t>;
        case Type::s32: return map_lanes<Operation, std::int32_t, std::int32_t, std::int32_t>;
        case Type::u64: return map_active_lanes<Operation, std::uint64_t, std::uint64_t, std::uint64_t>;
        case Type::s64: return map_active_lanes<Operation, std::int64_t, std::int64_t, std::int64_t>;
        default: return nullptr;
    }
}

}  // namespace

LaneFunction find_integer(const Form& form) {
    const auto& modifiers = form.modifiers;
    if (modifiers.carry_out) return nullptr;
    switch (form.opcode) {
        case Opcode::add:
            if (modifiers.saturate) return form.type == Type::s32 ? uniform<AddSaturated, 2, std::int32_t>() : nullptr;
            if (form.type == Type::u16x2 || form.type == Type::s16x2) return uniform<OnHalves<Add, std::uint16_t>, 2, std::uint32_t>();
            return by_width<Add, 2>(form.type);
        case Opcode::sub:
            if (modifiers.saturate) return form.type == Type::s32 ? uniform<SubtractSaturated, 2, std::int32_t>() : nullptr;
            return by_width<Subtract, 2>(form.type);
        case Opcode::mul: case Opcode::mad: return find_multiply(form);
        case Opcode::neg: return by_width<Negate, 1>(form.type);
        case Opcode::abs: return by_integer<Absolute, 1>(form.type);
        case Opcode::mul24: return find_word<Multiply24, 2>(form.type);
        case Opcode::mad24: return find_word<MultiplyAdd24, 3>(form.type);
        case Opcode::min: return find_extremum<Minimum>(form);
        case Opcode::max: return find_extremum<Maximum>(form);
        case Opcode::sad: return by_integer<SumOfDifference, 3>(form.type);
        case Opcode::div: return find_division<Divide>(form.type);
        case Opcode::rem: return find_division<Remainder>(form.type);
        default: return nullptr;
    }
}

}  // namespace optiml::emulator::OPTIML_LEVEL
