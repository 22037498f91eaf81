// cvt to floats. Conversions to nearest that are common, or exact, vectorise; the others round lane by lane from the parts of a number.

#include "emulator/arithmetic/vector/convert.h"
#include "emulator/arithmetic/vector/float_format.h"
#include "emulator/arithmetic/vector/half_values.h"
#include "emulator/arithmetic/vector/rounding.h"
#include "emulator/arithmetic/vector/whole_numbers.h"

namespace optiml::emulator::OPTIML_LEVEL {
namespace {

using ptx::Rounding;
using ptx::Type;

bool is_nearest(Rounding rounding) { return rounding == Rounding::none || rounding == Rounding::rn; }

template <class To>
struct CastTo {
    template <class From> To operator()(From value) const { return static_cast<To>(value); }
};
template <class To, class From>
constexpr LaneFunction cast() { return map_lanes<CastTo<To>, To, From>; }

template <class Format>
struct Narrow {
    std::uint32_t operator()(float value) const { return Format::narrow(value); }
};
// The first source in the upper half.
template <class Format>
struct NarrowPair {
    std::uint32_t operator()(float upper, float lower) const { return Format::narrow(upper) << 16 | Format::narrow(lower); }
};
struct WidenHalf {
    float operator()(std::uint32_t bits) const { return settle_nan(HalfFormat::widen(bits & 0xffff)); }
};
struct WidenBfloat {
    float operator()(std::uint32_t bits) const { return BfloatFormat::widen(bits & 0xffff); }
};
// cvt.rna.tf32. The bits of a NaN are cut off, and .satfinite decreases them, as the device does.
struct NarrowAway {
    explicit NarrowAway(const ptx::Modifiers& modifiers) : saturate(modifiers.saturate_finite) {}
    std::uint32_t operator()(std::uint32_t bits) const {
        const bool is_nan = (bits & ~kSign32) > kInfinity32;
        const std::uint32_t rounded = (bits + (is_nan ? 0 : 0x1000)) & ~std::uint32_t{0x1fff};
        return saturate && (rounded & kInfinity32) == kInfinity32 ? rounded - 0x2000 : rounded;
    }
    bool saturate;
};
// Between f32 and f64 in the host's rounding direction.
template <class To>
struct CastModified {
    explicit CastModified(const ptx::Modifiers& modifiers) : flush(modifiers.ftz), saturate(modifiers.saturate) {}
    template <class From> To operator()(From value) const {
        if constexpr (sizeof(From) == 4) value = flush ? settle_nan(value) : value;
        const To result = static_cast<To>(value);
        return saturate ? saturated(result) : result;
    }
    bool flush, saturate;
};
template <class To, class From>
void cast_in_scope(const LaneOperands& operands, LaneMask active) {
    const RoundingScope scope(operands.modifiers->rounding, operands.modifiers->ftz);
    map_lanes<CastModified<To>, To, From>(operands, active);
}

// What a float result still goes through: .sat, .relu, .ftz.
std::uint64_t adjusted(std::uint64_t bits, const FloatFormat& format, const ptx::Modifiers& modifiers) {
    const std::uint64_t sign = std::uint64_t{1} << format.sign_position(), magnitude = bits & (sign - 1);
    const std::uint64_t one = (std::uint64_t{1} << (format.mantissa + format.exponent - 1)) - (std::uint64_t{1} << format.mantissa);
    const bool negative = (bits & sign) != 0, is_nan = magnitude > format.infinity;
    if (modifiers.relu && negative && !is_nan) return 0;
    if (modifiers.saturate && !modifiers.saturate_finite) return negative || is_nan ? 0 : magnitude < one ? magnitude : one;
    return bits;
}

// Into f64 and from it a NaN keeps its payload; between the smaller formats it becomes the canonical one.
std::uint64_t converted(const Unpacked& number, const FloatFormat& format, const ptx::Modifiers& modifiers) {
    const bool keeps_payload = modifiers.source_type == Type::f64 || modifiers.type == Type::f64;
    const std::uint64_t bits = number.nan && keeps_payload ? pack_payload(number, format)
                                                           : pack(number, format, modifiers.rounding, modifiers.saturate_finite);
    return adjusted(bits, format, modifiers);
}

// Any number into any format.
template <class To, class Read>
void convert_active_lanes(const LaneOperands& operands, LaneMask active, const FloatFormat& format, Read read) {
    const ptx::Modifiers& modifiers = *operands.modifiers;
    auto* out = static_cast<To*>(operands.destinations[0].data);
    for (LaneMask left = active; left != 0; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        const auto one = [&](const Unpacked& number) { return converted(number, format, modifiers) << format.trailing; };
        out[lane] = static_cast<To>(read(lane, one));
    }
}

// ---- from integers

template <class From, class To>
void integer_to_float_lanes(const LaneOperands& operands, LaneMask active) {
    const ptx::Modifiers& modifiers = *operands.modifiers;
    const int shift = 64 - integer_bits(modifiers.source_type);
    const bool is_signed = is_signed_integer(modifiers.source_type);
    const auto* source = static_cast<const From*>(operands.sources[0].data);
    convert_active_lanes<To>(operands, active, format_of(modifiers.type), [&](int lane, const auto& one) {
        const std::uint64_t top = static_cast<std::uint64_t>(source[lane]) << shift;
        const bool negative = is_signed && top >> 63 != 0;
        return one(Unpacked{.negative = negative, .significand = (negative ? std::uint64_t{0} - top : top) >> shift});
    });
}

LaneFunction find_common_from_integer(Type to, Type from, bool nearest) {
    using enum Type;
    if (to == f32) {
        switch (from) {  // exact up to 24 bits
            case u8: return cast<float, std::uint8_t>();
            case s8: return cast<float, std::int8_t>();
            case u16: return cast<float, std::uint16_t>();
            case s16: return cast<float, std::int16_t>();
            case s32: return nearest ? cast<float, std::int32_t>() : nullptr;
            case u32: return nearest ? cast<float, std::uint32_t>() : nullptr;
            case s64: return nearest ? cast<float, std::int64_t>() : nullptr;
            case u64: return nearest ? cast<float, std::uint64_t>() : nullptr;
            default: return nullptr;
        }
    }
    if (to == f64) {
        switch (from) {
            case u8: return cast<double, std::uint8_t>();
            case s8: return cast<double, std::int8_t>();
            case u16: return cast<double, std::uint16_t>();
            case s16: return cast<double, std::int16_t>();
            case s32: return cast<double, std::int32_t>();
            case u32: return cast<double, std::uint32_t>();
            case s64: return nearest ? cast<double, std::int64_t>() : nullptr;
            case u64: return nearest ? cast<double, std::uint64_t>() : nullptr;
            default: return nullptr;
        }
    }
    return nullptr;
}

// ---- from floats

template <class From, class To>
void float_to_float_lanes(const LaneOperands& operands, LaneMask active) {
    const ptx::Modifiers& modifiers = *operands.modifiers;
    const FloatFormat from = format_of(modifiers.source_type);
    const auto* source = static_cast<const From*>(operands.sources[0].data);
    convert_active_lanes<To>(operands, active, format_of(modifiers.type), [&](int lane, const auto& one) {
        return one(unpack(source[lane], from));
    });
}

// Two f32 values, or the two of f16x2, into the two elements of the destination; the first source is the upper one.
template <int bits>
void pair_lanes(const LaneOperands& operands, LaneMask active) {
    const ptx::Modifiers& modifiers = *operands.modifiers;
    const FloatFormat from = format_of(modifiers.source_type);
    const std::uint32_t* upper = operands.sources[0].words();
    const std::uint32_t* lower = operands.source_count > 1 ? operands.sources[1].words() : nullptr;
    convert_active_lanes<std::uint32_t>(operands, active, format_of(modifiers.type), [&](int lane, const auto& one) {
        const std::uint32_t first = lower != nullptr ? upper[lane] : upper[lane] >> 16;
        const std::uint32_t second = lower != nullptr ? lower[lane] : upper[lane] & 0xffff;
        return one(unpack(first, from)) << bits | one(unpack(second, from));
    });
}

// e4m3x2 and e5m2x2 to f16x2: exact.
void widen_pair_lanes(const LaneOperands& operands, LaneMask active) {
    const FloatFormat from = format_of(operands.modifiers->source_type);
    const std::uint32_t* source = operands.sources[0].words();
    convert_active_lanes<std::uint32_t>(operands, active, format_of(Type::f16), [&](int lane, const auto& one) {
        return one(unpack(source[lane] >> 8 & 0xff, from)) << 16 | one(unpack(source[lane] & 0xff, from));
    });
}

LaneFunction find_pair(const Form& form) {
    const auto& modifiers = form.modifiers;
    const bool plain = modifiers.rounding == Rounding::rn && !modifiers.saturate && !modifiers.relu;
    switch (form.type) {
        case Type::f16x2:
            if (modifiers.source_type != Type::f32) return widen_pair_lanes;
            return plain ? map_lanes<NarrowPair<HalfFormat>, std::uint32_t, float, float> : pair_lanes<16>;
        case Type::bf16x2: return plain ? map_lanes<NarrowPair<BfloatFormat>, std::uint32_t, float, float> : pair_lanes<16>;
        case Type::e4m3x2: case Type::e5m2x2: return pair_lanes<8>;
        default: return nullptr;
    }
}

// Within one type: rounding to a whole number, .sat and .ftz.
template <class T>
struct Whole {
    explicit Whole(const ptx::Modifiers& modifiers)
        : round(modifiers.rounding), rounds(modifiers.rounding != Rounding::none), flush(modifiers.ftz), saturate(modifiers.saturate) {}
    T operator()(T value) const {
        value = flush ? flushed(settle_nan(value, value)) : value;
        value = rounds ? settle_nan(round(value), value) : value;
        return saturate ? saturated(value) : value;
    }
    RoundToWhole round;
    bool rounds, flush, saturate;
};
template <class Format>
struct WholeInFormat {
    explicit WholeInFormat(const ptx::Modifiers& modifiers) : whole(modifiers) {}
    std::uint32_t operator()(std::uint32_t bits) const { return Format::narrow(whole(Format::widen(bits & 0xffff))); }
    Whole<float> whole;
};

LaneFunction find_within(Type type) {
    switch (type) {
        case Type::f32: return map_lanes<Whole<float>, float, float>;
        case Type::f64: return map_lanes<Whole<double>, double, double>;
        case Type::f16: return map_lanes<WholeInFormat<HalfFormat>, std::uint32_t, std::uint32_t>;
        case Type::bf16: return map_lanes<WholeInFormat<BfloatFormat>, std::uint32_t, std::uint32_t>;
        default: return nullptr;
    }
}

LaneFunction find_common_from_float(Type to, Type from, bool nearest) {
    using enum Type;
    if (to == f64 && from == f32) return cast<double, float>();
    if (to == f32 && from == f16) return map_lanes<WidenHalf, float, std::uint32_t>;
    if (to == f32 && from == bf16) return map_lanes<WidenBfloat, float, std::uint32_t>;
    if (!nearest) return nullptr;
    if (to == f32 && from == f64) return cast<float, double>();
    if (to == f16 && from == f32) return map_lanes<Narrow<HalfFormat>, std::uint32_t, float>;
    if (to == bf16 && from == f32) return map_lanes<Narrow<BfloatFormat>, std::uint32_t, float>;
    return nullptr;
}

}  // namespace

LaneFunction find_integer_to_float(const Form& form, const ConversionWidths& widths) {
    if (widths.long_destination != (form.type == Type::f64)) return nullptr;
    if (widths.fitting && !form.modifiers.saturate)
        if (const LaneFunction found = find_common_from_integer(form.type, form.modifiers.source_type, is_nearest(form.modifiers.rounding)))
            return found;
    if (widths.long_source)
        return widths.long_destination ? integer_to_float_lanes<std::uint64_t, std::uint64_t> : integer_to_float_lanes<std::uint64_t, std::uint32_t>;
    return widths.long_destination ? integer_to_float_lanes<std::uint32_t, std::uint64_t> : integer_to_float_lanes<std::uint32_t, std::uint32_t>;
}

LaneFunction find_float_to_float(const Form& form, const ConversionWidths& widths) {
    const auto& modifiers = form.modifiers;
    if (!widths.fitting) return nullptr;
    if (const LaneFunction pair = find_pair(form)) return pair;
    if (form.type == modifiers.source_type) return find_within(form.type);
    if (form.type == Type::tf32 && modifiers.rounding == Rounding::rna) return map_lanes<NarrowAway, std::uint32_t, std::uint32_t>;
    const bool plain = !modifiers.saturate && !modifiers.relu && !modifiers.ftz;
    if (plain)
        if (const LaneFunction found = find_common_from_float(form.type, modifiers.source_type, is_nearest(modifiers.rounding))) return found;
    if (form.type == Type::f64 && modifiers.source_type == Type::f32) return cast_in_scope<double, float>;
    if (form.type == Type::f32 && modifiers.source_type == Type::f64) return cast_in_scope<float, double>;
    if (widths.long_source)
        return float_to_float_lanes<std::uint64_t, std::uint32_t>;
    return widths.long_destination ? float_to_float_lanes<std::uint32_t, std::uint64_t> : float_to_float_lanes<std::uint32_t, std::uint32_t>;
}

}  // namespace optiml::emulator::OPTIML_LEVEL
