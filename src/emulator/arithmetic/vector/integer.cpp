// add sub mul mad neg abs min max div rem of integers.

#include "emulator/arithmetic/vector/by_type.h"
#include "emulator/arithmetic/vector/find.h"
#include "emulator/arithmetic/vector/integer_operations.h"

namespace optiml::emulator::OPTIML_LEVEL {
namespace {

using ptx::Half;
using ptx::Opcode;
using ptx::Type;

LaneFunction find_multiply(const Form& form) {
    const bool add = form.opcode == Opcode::mad;
    switch (form.modifiers.half) {
        case Half::hi:
            if (form.modifiers.saturate)
                return form.type == Type::s32 && add ? map_lanes<MultiplyHighAddSaturated, std::int32_t, std::int32_t, std::int32_t, std::int32_t> : nullptr;
            return add ? by_integer<MultiplyHighAdd, 3>(form.type) : by_integer<MultiplyHigh, 2>(form.type);
        case Half::wide:
            switch (form.type) {
                case Type::u16: return add ? map_lanes<MultiplyWideAdd, std::uint32_t, std::uint16_t, std::uint16_t, std::uint32_t> : map_lanes<MultiplyWide, std::uint32_t, std::uint16_t, std::uint16_t>;
                case Type::s16: return add ? map_lanes<MultiplyWideAdd, std::int32_t, std::int16_t, std::int16_t, std::int32_t> : map_lanes<MultiplyWide, std::int32_t, std::int16_t, std::int16_t>;
                case Type::u32: return add ? map_lanes<MultiplyWideAdd, std::uint64_t, std::uint32_t, std::uint32_t, std::uint64_t> : map_lanes<MultiplyWide, std::uint64_t, std::uint32_t, std::uint32_t>;
                case Type::s32: return add ? map_lanes<MultiplyWideAdd, std::int64_t, std::int32_t, std::int32_t, std::int64_t> : map_lanes<MultiplyWide, std::int64_t, std::int32_t, std::int32_t>;
                default: return nullptr;
            }
        default:
            return add ? by_width<MultiplyAdd, 3>(form.type) : by_width<Multiply, 2>(form.type);
    }
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
            return by_width<Add, 2>(form.type);
        case Opcode::sub:
            if (modifiers.saturate) return form.type == Type::s32 ? uniform<SubtractSaturated, 2, std::int32_t>() : nullptr;
            return by_width<Subtract, 2>(form.type);
        case Opcode::mul: case Opcode::mad: return find_multiply(form);
        case Opcode::neg: return by_width<Negate, 1>(form.type);
        case Opcode::abs: return by_integer<Absolute, 1>(form.type);
        case Opcode::min: return modifiers.relu ? nullptr : by_integer<Minimum, 2>(form.type);
        case Opcode::max: return modifiers.relu ? nullptr : by_integer<Maximum, 2>(form.type);
        case Opcode::div: return find_division<Divide>(form.type);
        case Opcode::rem: return find_division<Remainder>(form.type);
        default: return nullptr;
    }
}

}  // namespace optiml::emulator::OPTIML_LEVEL
