// Bit fields and bit counts: popc clz brev bfind bfe bfi bmsk szext fns lop3 prmt.

#include "emulator/arithmetic/vector/by_type.h"
#include "emulator/arithmetic/vector/find.h"
#include "emulator/arithmetic/vector/integer_operations.h"

namespace optiml::emulator::OPTIML_LEVEL {
namespace {

using ptx::Opcode;
using ptx::Type;

struct PopulationCount {
    std::uint32_t operator()(std::uint32_t a) const { return static_cast<std::uint32_t>(__builtin_popcount(a)); }
    std::uint32_t operator()(std::uint64_t a) const { return static_cast<std::uint32_t>(__builtin_popcountll(a)); }
};
struct LeadingZeros {
    std::uint32_t operator()(std::uint32_t a) const { return a == 0 ? 32 : static_cast<std::uint32_t>(__builtin_clz(a)); }
    std::uint32_t operator()(std::uint64_t a) const { return a == 0 ? 64 : static_cast<std::uint32_t>(__builtin_clzll(a)); }
};

// Swaps neighbours, then pairs, nibbles, bytes, ...
struct ReverseBits {
    std::uint32_t operator()(std::uint32_t a) const {
        a = (a >> 1 & 0x55555555u) | (a & 0x55555555u) << 1;
        a = (a >> 2 & 0x33333333u) | (a & 0x33333333u) << 2;
        a = (a >> 4 & 0x0f0f0f0fu) | (a & 0x0f0f0f0fu) << 4;
        return __builtin_bswap32(a);
    }
    std::uint64_t operator()(std::uint64_t a) const {
        const std::uint64_t low = (*this)(static_cast<std::uint32_t>(a));
        return low << 32 | (*this)(static_cast<std::uint32_t>(a >> 32));
    }
};

// The position of the highest bit that differs from the sign (of unsigned values: that is set), or all ones.
struct FindBit {
    explicit FindBit(const ptx::Modifiers& modifiers) : shift_amount(modifiers.shift_amount) {}
    template <class T> std::uint32_t operator()(T a) const {
        constexpr std::uint32_t width = 8 * sizeof(T);
        auto bits = static_cast<std::make_unsigned_t<T>>(a);
        if constexpr (std::is_signed_v<T>)
            if (a < 0) bits = ~bits;
        if (bits == 0) return ~0u;
        const std::uint32_t position = width - 1 - LeadingZeros()(bits);
        return shift_amount ? width - 1 - position : position;
    }
    bool shift_amount;
};

// Position and length of a field: 0..255 count for 32-bit values, the whole word for 64-bit ones, as on the device.
template <class T>
constexpr std::uint32_t field_number(std::uint32_t value) {
    return sizeof(T) == 8 ? value : value & 255;
}

struct ExtractField {
    template <class T> T operator()(T a, std::uint32_t position, std::uint32_t length) const {
        constexpr std::uint32_t width = 8 * sizeof(T);
        using Unsigned = std::make_unsigned_t<T>;
        position = field_number<T>(position);
        length = field_number<T>(length);
        if (length == 0) return 0;
        const T shifted = position < width ? static_cast<T>(a >> position) : std::is_signed_v<T> ? static_cast<T>(a >> (width - 1)) : T{0};
        if (length >= width) return shifted;
        const std::uint32_t unused = width - length;
        return static_cast<T>(static_cast<T>(static_cast<Unsigned>(shifted) << unused) >> unused);
    }
};

struct InsertField {
    template <class T> T operator()(T a, T b, std::uint32_t position, std::uint32_t length) const {
        constexpr std::uint32_t width = 8 * sizeof(T);
        position = field_number<T>(position);
        length = field_number<T>(length);
        if (length == 0 || position >= width) return b;
        const T ones = length >= width ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << length) - 1);
        const T mask = static_cast<T>(ones << position);
        return (b & ~mask) | (static_cast<T>(a << position) & mask);
    }
};

// A mask of `length` ones from `position`; .wrap takes both modulo 32, .clamp lets large ones run out of the word.
struct BitMask {
    explicit BitMask(const ptx::Modifiers& modifiers) : clamp(modifiers.clear) {}
    std::uint32_t operator()(std::uint32_t position, std::uint32_t length) const {
        if (!clamp) {
            position &= 31;
            length &= 31;
        }
        if (position >= 32) return 0;
        const std::uint32_t ones = length >= 32 ? ~0u : (1u << length) - 1;
        return ones << position;
    }
    bool clamp;
};

// Extends the lowest `length` bits, by their highest one or by zeros.
struct ExtendBits {
    explicit ExtendBits(const ptx::Modifiers& modifiers) : clamp(modifiers.clear) {}
    template <class T> T operator()(T a, std::uint32_t length) const {
        if (!clamp) length &= 31;
        return length > 31 ? a : ExtractField()(a, 0, length);
    }
    bool clamp;
};

// From bit `base` on, upwards or downwards, the |offset|-th set bit (0: base itself, if set), or all ones.
struct FindSetBit {
    std::uint32_t operator()(std::uint32_t mask, std::uint32_t base, std::int32_t offset) const {
        if (offset == 0) return base < 32 && (mask >> base & 1) != 0 ? base : ~0u;
        const int step = offset > 0 ? 1 : -1;
        std::int64_t left = offset > 0 ? std::int64_t{offset} : -std::int64_t{offset};
        for (std::int64_t position = base; position >= 0 && position < 32; position += step)
            if ((mask >> position & 1) != 0 && --left == 0) return static_cast<std::uint32_t>(position);
        return ~0u;
    }
};

// Bit 4a + 2b + c of the table for each bit; the table is the last source and the same in every lane.
void three_input_logic(const LaneOperands& operands, LaneMask active) {
    const auto* a = source_words<std::uint32_t>(operands, 0);
    const auto* b = source_words<std::uint32_t>(operands, 1);
    const auto* c = source_words<std::uint32_t>(operands, 2);
    const std::uint32_t table = operands.sources[3].words()[0];
    Destination<std::uint32_t> destination(operands.destinations[0], active);
    std::uint32_t* out = destination.words();
    std::uint32_t chosen[8];
    for (int row = 0; row < 8; ++row) chosen[row] = (table >> row & 1) != 0 ? ~0u : 0u;
    OPTIML_INDEPENDENT_LANES
    for (int lane = 0; lane < kLanes; ++lane) {
        const std::uint32_t x = a[lane], y = b[lane], z = c[lane];
        const std::uint32_t without = (~y & ((~z & chosen[0]) | (z & chosen[1]))) | (y & ((~z & chosen[2]) | (z & chosen[3])));
        const std::uint32_t with = (~y & ((~z & chosen[4]) | (z & chosen[5]))) | (y & ((~z & chosen[6]) | (z & chosen[7])));
        out[lane] = (~x & without) | (x & with);
    }
    destination.finish();
}

// The selectors of prmt's modes, one nibble a byte of the result, for the low two bits of the control word.
constexpr std::uint16_t kPermutations[6][4] = {
    {0x3210, 0x4321, 0x5432, 0x6543},  // f4e: forwards from byte n
    {0x5670, 0x6701, 0x7012, 0x0123},  // b4e: backwards from byte n
    {0x0000, 0x1111, 0x2222, 0x3333},  // rc8: byte n four times
    {0x3210, 0x3211, 0x3222, 0x3333},  // ecl: edge clamped to the left
    {0x0000, 0x1110, 0x2210, 0x3210},  // ecr: edge clamped to the right
    {0x1010, 0x3232, 0x1010, 0x3232},  // rc16: half n twice
};

// One byte of b:a by a selector of which bit 3 asks for the byte's sign instead.
[[gnu::always_inline]] inline std::uint32_t selected_byte(std::uint32_t a, std::uint32_t b, std::uint32_t selector) {
    const std::uint32_t word = (selector & 4) != 0 ? b : a, value = word >> (8 * (selector & 3)) & 0xff;
    const std::uint32_t sign = (value & 0x80) != 0 ? 0xff : 0;
    return (selector & 8) != 0 ? sign : value;
}
struct PermuteBytes {
    std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t selectors) const {
        return selected_byte(a, b, selectors) | selected_byte(a, b, selectors >> 4) << 8 | selected_byte(a, b, selectors >> 8) << 16 |
               selected_byte(a, b, selectors >> 12) << 24;
    }
};
struct PermuteBytesByMode {
    explicit PermuteBytesByMode(const ptx::Modifiers& modifiers)
        : selectors(kPermutations[static_cast<int>(modifiers.permute) - static_cast<int>(ptx::PermuteMode::f4e)]) {}
    std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t control) const {
        return PermuteBytes()(a, b, selectors[control & 3]);
    }
    const std::uint16_t* selectors;
};

template <class Operation, class T, class... More>
constexpr LaneFunction count() { return map_lanes<Operation, std::uint32_t, T, More...>; }

template <class Operation>
LaneFunction count_by_width(Type type) {
    switch (type) {
        case Type::b32: return count<Operation, std::uint32_t>();
        case Type::b64: return count<Operation, std::uint64_t>();
        default: return nullptr;
    }
}

template <class T>
constexpr LaneFunction extract() { return map_lanes<ExtractField, T, T, std::uint32_t, std::uint32_t>; }
template <class T>
constexpr LaneFunction insert() { return map_lanes<InsertField, T, T, T, std::uint32_t, std::uint32_t>; }

LaneFunction find_by_sign(const Form& form) {
    const bool find = form.opcode == Opcode::bfind;
    switch (form.type) {
        case Type::u32: return find ? count<FindBit, std::uint32_t>() : extract<std::uint32_t>();
        case Type::s32: return find ? count<FindBit, std::int32_t>() : extract<std::int32_t>();
        case Type::u64: return find ? count<FindBit, std::uint64_t>() : extract<std::uint64_t>();
        case Type::s64: return find ? count<FindBit, std::int64_t>() : extract<std::int64_t>();
        default: return nullptr;
    }
}

}  // namespace

LaneFunction find_bits(const Form& form) {
    switch (form.opcode) {
        case Opcode::popc: return count_by_width<PopulationCount>(form.type);
        case Opcode::clz: return count_by_width<LeadingZeros>(form.type);
        case Opcode::brev:
            return is_long(form.type) ? uniform<ReverseBits, 1, std::uint64_t>() : uniform<ReverseBits, 1, std::uint32_t>();
        case Opcode::bfind: case Opcode::bfe: return find_by_sign(form);
        case Opcode::bfi: return form.type == Type::b64 ? insert<std::uint64_t>() : insert<std::uint32_t>();
        case Opcode::bmsk: return uniform<BitMask, 2, std::uint32_t>();
        case Opcode::szext:
            return form.type == Type::s32 ? map_lanes<ExtendBits, std::int32_t, std::int32_t, std::uint32_t> : uniform<ExtendBits, 2, std::uint32_t>();
        case Opcode::fns: return map_active_lanes<FindSetBit, std::uint32_t, std::uint32_t, std::uint32_t, std::int32_t>;
        case Opcode::lop3: return form.instruction.sources.size() == 4 ? three_input_logic : nullptr;
        case Opcode::prmt:
            return form.modifiers.permute == ptx::PermuteMode::none ? uniform<PermuteBytes, 3, std::uint32_t>()
                                                                    : uniform<PermuteBytesByMode, 3, std::uint32_t>();
        default: return nullptr;
    }
}

}  // namespace optiml::emulator::OPTIML_LEVEL
