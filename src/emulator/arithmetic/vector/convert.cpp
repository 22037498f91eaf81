// cvt: the most common conversions as instances of their own, all others by kind.

#include "emulator/arithmetic/vector/convert.h"

namespace optiml::emulator::OPTIML_LEVEL {
namespace {

using ptx::Rounding;
using ptx::Type;

template <class To>
struct Cast {
    template <class From> To operator()(From value) const { return static_cast<To>(value); }
};

template <class To, class From>
constexpr LaneFunction cast() { return map_lanes<Cast<To>, To, From>; }

// Between integers, where the registers fit and nothing saturates.
LaneFunction find_cast(Type to, Type from) {
    using enum Type;
    if (integer_bits(to) == 64) {
        switch (from) {
            case u8: return cast<std::uint64_t, std::uint8_t>();
            case s16: return cast<std::int64_t, std::int16_t>();
            case s32: return cast<std::int64_t, std::int32_t>();
            case u32: return cast<std::uint64_t, std::uint32_t>();
            case u16: return cast<std::uint64_t, std::uint16_t>();
            default: return nullptr;
        }
    }
    if (integer_bits(to) == 32) {
        switch (from) {
            case s64: case u64: return cast<std::uint32_t, std::uint64_t>();
            case u16: return cast<std::uint32_t, std::uint16_t>();
            case s16: return cast<std::int32_t, std::int16_t>();
            case u8: return cast<std::uint32_t, std::uint8_t>();
            case s8: return cast<std::int32_t, std::int8_t>();
            default: return nullptr;
        }
    }
    return integer_bits(to) == 16 && integer_bits(from) == 32 ? cast<std::uint16_t, std::uint32_t>() : nullptr;
}

std::uint32_t register_width(const ptx::Function& function, const std::vector<ptx::Operand>& operands, Type type) {
    const bool is_register = !operands.empty() && operands[0].kind == ptx::OperandKind::reg;
    return row_width(is_register ? function.registers[operands[0].index].type : type);
}

}  // namespace

LaneFunction find_convert(const Form& form) {
    if (form.opcode != ptx::Opcode::cvt) return nullptr;
    const Type to = form.type, from = form.modifiers.source_type;
    const std::uint32_t source = register_width(form.function, form.instruction.sources, from);
    const std::uint32_t destination = register_width(form.function, form.instruction.destinations, to);
    const ConversionWidths widths{.long_source = source == 64, .long_destination = destination == 64,
                                  .fitting = (source == 64) == (row_width(from) == 64) && destination == row_width(to)};
    const bool from_integer = integer_bits(from) != 0, to_integer = integer_bits(to) != 0;
    if (from_integer && to_integer) {
        if (widths.fitting && !form.modifiers.saturate)
            if (const LaneFunction found = find_cast(to, from)) return found;
        return find_integer_to_integer(form, widths);
    }
    if (to_integer) return find_float_to_integer(form, widths);
    return from_integer ? find_integer_to_float(form, widths) : find_float_to_float(form, widths);
}

}  // namespace optiml::emulator::OPTIML_LEVEL
