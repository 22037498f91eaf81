// cvt from integers to integers and from floats to integers.

#include "emulator/arithmetic/vector/convert.h"
#include "emulator/arithmetic/vector/half_values.h"
#include "emulator/arithmetic/vector/integer_operations.h"
#include "emulator/arithmetic/vector/whole_numbers.h"

namespace optiml::emulator::OPTIML_LEVEL {
namespace {

using ptx::Type;

// How a value of an integer type stands in its destination register: extended by its sign or by zeros to the register's width.
struct IntegerDestination {
    IntegerDestination(Type type, std::uint32_t register_width)
        : bits(integer_bits(type)), value(ones(bits)), sign(is_signed_integer(type) ? std::uint64_t{1} << (bits - 1) : 0),
          container(ones(static_cast<int>(register_width))) {}
    static std::uint64_t ones(int count) { return ~std::uint64_t{0} >> (64 - count); }
    std::uint64_t word(std::uint64_t number) const { return (((number & value) ^ sign) - sign) & container; }
    std::int64_t lowest() const { return static_cast<std::int64_t>(std::uint64_t{0} - sign); }
    std::uint64_t highest() const { return sign != 0 ? sign - 1 : value; }

    int bits;
    std::uint64_t value, sign, container;
};

template <class From, class To, bool from_signed, bool saturate>
[[gnu::flatten]] void integer_lanes(const LaneOperands& operands, LaneMask active) {
    const IntegerDestination to(operands.modifiers->type, operands.destinations[0].width);
    const int shift = 64 - integer_bits(operands.modifiers->source_type);
    const std::int64_t lowest = to.lowest();
    const std::uint64_t highest = to.highest();
    const auto highest_signed = static_cast<std::int64_t>(highest >> 63 != 0 ? highest >> 1 : highest);
    const auto* source = static_cast<const From*>(operands.sources[0].data);
    Destination<To> destination(operands.destinations[0], active);
    To* out = destination.words();
    OPTIML_INDEPENDENT_LANES
    for (int lane = 0; lane < kLanes; ++lane) {
        const std::uint64_t top = static_cast<std::uint64_t>(source[lane]) << shift;
        std::uint64_t value;
        if constexpr (from_signed) {
            std::int64_t extended = static_cast<std::int64_t>(top) >> shift;
            if (saturate) extended = extended < lowest ? lowest : extended > highest_signed ? highest_signed : extended;
            value = static_cast<std::uint64_t>(extended);
        } else {
            value = top >> shift;
            if (saturate) value = value > highest ? highest : value;
        }
        out[lane] = static_cast<To>(to.word(value));
    }
    destination.finish();
}

template <class From, class To>
LaneFunction find_integer_lanes(const ptx::Modifiers& modifiers) {
    const bool is_signed = is_signed_integer(modifiers.source_type);
    if (modifiers.saturate) return is_signed ? integer_lanes<From, To, true, true> : integer_lanes<From, To, false, true>;
    return is_signed ? integer_lanes<From, To, true, false> : integer_lanes<From, To, false, false>;
}

// How a float source is read: its word's type and its value, exactly, in a type that the host computes with. Of f32, words without
// any of the bits `nonzero` count as zeros: those of the exponent for .ftz.
std::uint32_t nonzero_bits(bool flush) { return flush ? FloatLayout<float>::exponent : ~0u; }
struct ReadSingle {
    using Source = std::uint32_t;
    static float value(std::uint32_t word, std::uint32_t nonzero) { return bits_as<float>((word & nonzero) != 0 ? word : word & FloatLayout<float>::sign); }
};
struct ReadDouble {
    using Source = std::uint64_t;
    static double value(std::uint64_t word, std::uint32_t) { return bits_as<double>(word); }
};
struct ReadHalf {
    using Source = std::uint32_t;
    static float value(std::uint32_t word, std::uint32_t) { return HalfFormat::widen(word & 0xffff); }
};
struct ReadBfloat {
    using Source = std::uint32_t;
    static float value(std::uint32_t word, std::uint32_t) { return BfloatFormat::widen(word & 0xffff); }
};

// To at most 32 bits: beyond the range to its end. A NaN becomes 0, from f64 the sign bit alone.
template <class Read, class To>
[[gnu::flatten]] void whole_lanes(const LaneOperands& operands, LaneMask active) {
    const IntegerDestination to(operands.modifiers->type, operands.destinations[0].width);
    const RoundToWhole round(operands.modifiers->rounding);
    const std::uint32_t nonzero = nonzero_bits(operands.modifiers->ftz);
    const auto lowest = static_cast<double>(to.lowest()), highest = static_cast<double>(to.highest());
    const std::uint64_t of_nan = sizeof(typename Read::Source) == 8 ? std::uint64_t{1} << (to.bits - 1) : 0;
    const auto* source = static_cast<const typename Read::Source*>(operands.sources[0].data);
    Destination<To> destination(operands.destinations[0], active);
    To* out = destination.words();
    OPTIML_INDEPENDENT_LANES
    for (int lane = 0; lane < kLanes; ++lane) {
        const double whole = round(Read::value(source[lane], nonzero));
        const double bounded = whole > highest ? highest : whole, clamped = bounded < lowest ? lowest : bounded;
        const auto integer = static_cast<std::uint64_t>(nearest_whole(clamped));
        out[lane] = static_cast<To>(to.word(whole == whole ? integer : of_nan));
    }
    destination.finish();
}

// To 64 bits. A NaN becomes the sign bit alone.
template <class Read, class To>
void long_lanes(const LaneOperands& operands, LaneMask active) {
    const RoundToWhole round(operands.modifiers->rounding);
    const std::uint32_t nonzero = nonzero_bits(operands.modifiers->ftz);
    const bool is_signed = operands.modifiers->type == Type::s64;
    const auto* source = static_cast<const typename Read::Source*>(operands.sources[0].data);
    auto* out = static_cast<std::uint64_t*>(operands.destinations[0].data);
    for (LaneMask left = active; left != 0; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        const double whole = round(Read::value(source[lane], nonzero));
        constexpr std::uint64_t sign = std::uint64_t{1} << 63;
        if (whole != whole) out[lane] = sign;
        else if (is_signed) out[lane] = whole >= 0x1p63 ? sign - 1 : whole < -0x1p63 ? sign : static_cast<std::uint64_t>(static_cast<std::int64_t>(whole));
        else out[lane] = whole >= 0x1p64 ? ~std::uint64_t{0} : whole <= 0 ? 0 : static_cast<std::uint64_t>(whole);
    }
}

template <class Read>
LaneFunction find_whole(const ConversionWidths& widths, Type to) {
    if (integer_bits(to) == 64) return long_lanes<Read, std::uint64_t>;
    return widths.long_destination ? whole_lanes<Read, std::uint64_t> : whole_lanes<Read, std::uint32_t>;
}

}  // namespace

LaneFunction find_integer_to_integer(const Form& form, const ConversionWidths& widths) {
    if (widths.long_source)
        return widths.long_destination ? find_integer_lanes<std::uint64_t, std::uint64_t>(form.modifiers) : find_integer_lanes<std::uint64_t, std::uint32_t>(form.modifiers);
    return widths.long_destination ? find_integer_lanes<std::uint32_t, std::uint64_t>(form.modifiers) : find_integer_lanes<std::uint32_t, std::uint32_t>(form.modifiers);
}

LaneFunction find_float_to_integer(const Form& form, const ConversionWidths& widths) {
    if (widths.long_source != (form.modifiers.source_type == Type::f64)) return nullptr;
    switch (form.modifiers.source_type) {
        case Type::f32: return find_whole<ReadSingle>(widths, form.type);
        case Type::f64: return find_whole<ReadDouble>(widths, form.type);
        case Type::f16: return find_whole<ReadHalf>(widths, form.type);
        case Type::bf16: return find_whole<ReadBfloat>(widths, form.type);
        default: return nullptr;
    }
}

}  // namespace optiml::emulator::OPTIML_LEVEL
