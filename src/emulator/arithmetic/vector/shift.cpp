// shl shr shf. Amounts are unsigned 32-bit values; those of the width and above shift everything out.

#include "emulator/arithmetic/vector/by_type.h"
#include "emulator/arithmetic/vector/find.h"

namespace optiml::emulator::OPTIML_LEVEL {
namespace {

using ptx::Opcode;
using ptx::Type;

struct ShiftLeft {
    template <class T> T operator()(T value, std::uint32_t amount) const {
        constexpr std::uint32_t width = 8 * sizeof(T);
        return amount < width ? static_cast<T>(static_cast<Word<T>>(value) << (amount & (width - 1))) : T{0};
    }
};
// Of a signed T the sign fills.
struct ShiftRight {
    template <class T> T operator()(T value, std::uint32_t amount) const {
        constexpr std::uint32_t width = 8 * sizeof(T);
        if constexpr (std::is_signed_v<T>) return static_cast<T>(value >> (amount < width ? amount : width - 1));
        else return amount < width ? static_cast<T>(value >> (amount & (width - 1))) : T{0};
    }
};

template <class Operation, class T>
constexpr LaneFunction shift() { return map_lanes<Operation, T, T, std::uint32_t>; }

// The upper (left) or lower (right) word of high:low after the shift; the amount is clamped to 32 or wrapped.
struct FunnelShift {
    explicit FunnelShift(const ptx::Modifiers& modifiers) : wrap(modifiers.wrap) {}
    std::uint32_t amount_of(std::uint32_t amount) const { return wrap ? amount & 31 : amount < 32 ? amount : 32; }
    bool wrap;
};
struct FunnelShiftLeft : FunnelShift {
    using FunnelShift::FunnelShift;
    std::uint32_t operator()(std::uint32_t low, std::uint32_t high, std::uint32_t amount) const {
        const std::uint64_t both = std::uint64_t{high} << 32 | low;
        return static_cast<std::uint32_t>((both << amount_of(amount)) >> 32);
    }
};
struct FunnelShiftRight : FunnelShift {
    using FunnelShift::FunnelShift;
    std::uint32_t operator()(std::uint32_t low, std::uint32_t high, std::uint32_t amount) const {
        const std::uint64_t both = std::uint64_t{high} << 32 | low;
        return static_cast<std::uint32_t>(both >> amount_of(amount));
    }
};

LaneFunction find_left(Type type) {
    using enum Type;
    switch (type) {
        case b16: case u16: case s16: return shift<ShiftLeft, std::uint16_t>();
        case b32: case u32: case s32: return shift<ShiftLeft, std::uint32_t>();
        case b64: case u64: case s64: return shift<ShiftLeft, std::uint64_t>();
        default: return nullptr;
    }
}

LaneFunction find_right(Type type) {
    using enum Type;
    switch (type) {
        case b16: case u16: return shift<ShiftRight, std::uint16_t>();
        case b32: case u32: return shift<ShiftRight, std::uint32_t>();
        case b64: case u64: return shift<ShiftRight, std::uint64_t>();
        case s16: return shift<ShiftRight, std::int16_t>();
        case s32: return shift<ShiftRight, std::int32_t>();
        case s64: return shift<ShiftRight, std::int64_t>();
        default: return nullptr;
    }
}

}  // namespace

LaneFunction find_shift(const Form& form) {
    switch (form.opcode) {
        case Opcode::shl: return find_left(form.type);
        case Opcode::shr: return find_right(form.type);
        case Opcode::shf:
            return form.modifiers.half == ptx::Half::left ? uniform<FunnelShiftLeft, 3, std::uint32_t>()
                                                          : uniform<FunnelShiftRight, 3, std::uint32_t>();
        default: return nullptr;
    }
}

}  // namespace optiml::emulator::OPTIML_LEVEL
