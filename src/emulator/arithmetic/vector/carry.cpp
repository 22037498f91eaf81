// Extended precision: add.cc addc sub.cc subc mad.cc madc, which hand a carry from one instruction to the next.
// The flag after a subtraction is its borrow.

#include "emulator/arithmetic/vector/apply.h"
#include "emulator/arithmetic/vector/find.h"
#include "emulator/arithmetic/vector/integer_operations.h"

namespace optiml::emulator::OPTIML_LEVEL {
namespace {

using ptx::Half;
using ptx::Opcode;
using ptx::Type;

enum class Kind { add, subtract, multiply_low, multiply_high };

// Carries in if the opcode ends in c, and out if the instruction says .cc.
template <Kind kind, bool carry_in, class T>
void carry_lanes(const LaneOperands& operands, LaneMask active) {
    using Unsigned = Word<T>;
    constexpr bool multiplies = kind == Kind::multiply_low || kind == Kind::multiply_high;
    const auto* first = source_words<T>(operands, 0);
    const auto* second = source_words<T>(operands, 1);
    const auto* third = source_words<T>(operands, multiplies ? 2 : 0);
    auto* out = static_cast<Unsigned*>(operands.destinations[0].data);
    LaneMask carried = 0;
    for (LaneMask left = active; left != 0; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        const Unsigned in = carry_in ? *operands.carry >> lane & 1 : 0;
        Unsigned a = first[lane], b = second[lane];
        if constexpr (kind == Kind::multiply_low) a = a * b;
        if constexpr (kind == Kind::multiply_high) a = to_word<T>(MultiplyHigh()(from_word<T>(a), from_word<T>(b)));
        if constexpr (multiplies) b = third[lane];
        Unsigned partial, result;
        bool overflow;
        if constexpr (kind == Kind::subtract) {
            overflow = __builtin_sub_overflow(a, b, &partial);
            overflow |= __builtin_sub_overflow(partial, in, &result);
        } else {
            overflow = __builtin_add_overflow(a, b, &partial);
            overflow |= __builtin_add_overflow(partial, in, &result);
        }
        out[lane] = result;
        carried |= static_cast<LaneMask>(overflow) << lane;
    }
    if (operands.modifiers->carry_out) *operands.carry = (*operands.carry & ~active) | carried;
}

template <Kind kind, bool carry_in>
LaneFunction by_sign(Type type) {
    switch (type) {
        case Type::u32: return carry_lanes<kind, carry_in, std::uint32_t>;
        case Type::s32: return carry_lanes<kind, carry_in, std::conditional_t<kind == Kind::multiply_high, std::int32_t, std::uint32_t>>;
        case Type::u64: return carry_lanes<kind, carry_in, std::uint64_t>;
        case Type::s64: return carry_lanes<kind, carry_in, std::conditional_t<kind == Kind::multiply_high, std::int64_t, std::uint64_t>>;
        default: return nullptr;
    }
}

template <bool carry_in>
LaneFunction find_multiply_add(const Form& form) {
    return form.modifiers.half == Half::hi ? by_sign<Kind::multiply_high, carry_in>(form.type)
                                           : by_sign<Kind::multiply_low, carry_in>(form.type);
}

}  // namespace

LaneFunction find_carry(const Form& form) {
    switch (form.opcode) {
        case Opcode::addc: return by_sign<Kind::add, true>(form.type);
        case Opcode::subc: return by_sign<Kind::subtract, true>(form.type);
        case Opcode::madc: return find_multiply_add<true>(form);
        default: break;
    }
    if (!form.modifiers.carry_out) return nullptr;
    switch (form.opcode) {
        case Opcode::add: return by_sign<Kind::add, false>(form.type);
        case Opcode::sub: return by_sign<Kind::subtract, false>(form.type);
        case Opcode::mad: return find_multiply_add<false>(form);
        default: return nullptr;
    }
}

}  // namespace optiml::emulator::OPTIML_LEVEL
