#pragma once
// Binary floating-point formats by their parameters, and correct rounding to any of them in any direction.

#include <cstdint>

#include "emulator/arithmetic/vector/values.h"
#include "ptx/opcode.h"

namespace optiml::emulator::OPTIML_LEVEL {

struct FloatFormat {
    int mantissa = 23;                // bits stored
    int exponent = 8;                 // bits
    std::uint64_t infinity = 0;       // magnitudes from here on overflow
    std::uint64_t largest = 0;        // finite magnitude
    std::uint64_t nan = 0;            // that the device makes
    int trailing = 0;                 // unused low bits of the word (tf32)
    bool has_infinity = true;         // else the magnitude `infinity` is the NaN

    int least_exponent() const { return 2 - (1 << (exponent - 1)); }  // of normal values
    int sign_position() const { return mantissa + exponent; }
};

// f16, bf16, tf32, f32, f64, or an element of e4m3x2 and e5m2x2.
inline FloatFormat format_of(ptx::Type type) {
    using enum ptx::Type;
    switch (type) {
        case f16: case f16x2: return {.mantissa = 10, .exponent = 5, .infinity = 0x7c00, .largest = 0x7bff, .nan = 0x7fff};
        case bf16: case bf16x2: return {.mantissa = 7, .exponent = 8, .infinity = 0x7f80, .largest = 0x7f7f, .nan = 0x7fff};
        case tf32: return {.mantissa = 10, .exponent = 8, .infinity = 0x3fc00, .largest = 0x3fbff, .nan = 0x3ffff, .trailing = 13};
        case e4m3x2: return {.mantissa = 3, .exponent = 4, .infinity = 0x7f, .largest = 0x7e, .nan = 0x7f, .has_infinity = false};
        case e5m2x2: return {.mantissa = 2, .exponent = 5, .infinity = 0x7c, .largest = 0x7b, .nan = 0x7f};
        case f64:
            return {.mantissa = 52, .exponent = 11, .infinity = 0x7ffull << 52, .largest = (0x7ffull << 52) - 1, .nan = 0xfffull << 51};
        default: return {.mantissa = 23, .exponent = 8, .infinity = 0x7f800000, .largest = 0x7f7fffff, .nan = 0x7fffffff};
    }
}

// A number as sign, whole significand and the power of two of its last bit; or a special value.
struct Unpacked {
    bool negative = false;
    bool infinite = false;
    bool nan = false;                // the significand is its payload, with the leading bit at 63
    std::uint64_t significand = 0;
    int exponent = 0;
};

inline Unpacked unpack(std::uint64_t bits, const FloatFormat& format) {
    const std::uint64_t sign = std::uint64_t{1} << format.sign_position(), magnitude = bits & (sign - 1);
    const std::uint64_t fraction = magnitude & ((std::uint64_t{1} << format.mantissa) - 1);
    const int biased = static_cast<int>(magnitude >> format.mantissa);
    Unpacked number{.negative = (bits & sign) != 0, .infinite = format.has_infinity && magnitude == format.infinity,
                    .nan = magnitude > format.infinity || (!format.has_infinity && magnitude == format.infinity)};
    number.significand = biased == 0 ? fraction : fraction | std::uint64_t{1} << format.mantissa;
    if (number.nan) number.significand = fraction << (64 - format.mantissa);
    number.exponent = format.least_exponent() - format.mantissa + (biased == 0 ? 0 : biased - 1);
    return number;
}

// Whether the magnitude grows by one in its last place, by what was cut off: less than, exactly or more than half of it.
inline bool rounds_up(ptx::Rounding rounding, bool negative, bool odd, bool inexact, int against_half) {
    switch (rounding) {
        case ptx::Rounding::rz: return false;
        case ptx::Rounding::rm: return inexact && negative;
        case ptx::Rounding::rp: return inexact && !negative;
        case ptx::Rounding::rna: return against_half >= 0;
        default: return against_half > 0 || (against_half == 0 && odd);
    }
}

inline bool overflows_to_largest(ptx::Rounding rounding, bool negative) {
    return rounding == ptx::Rounding::rz || (rounding == ptx::Rounding::rm && !negative) || (rounding == ptx::Rounding::rp && negative);
}

// The magnitude of a finite number in the format; beyond its range: format.infinity.
inline std::uint64_t round_magnitude(const Unpacked& number, const FloatFormat& format, ptx::Rounding rounding) {
    if (number.significand == 0) return 0;
    const int top = 63 - __builtin_clzll(number.significand) + number.exponent;
    const int least = format.least_exponent(), leading = top > least ? top : least;
    const int shift = leading - format.mantissa - number.exponent;
    std::uint64_t kept = 0, cut = 0, half = 0;
    if (shift <= 0) {
        kept = number.significand << -shift;
    } else if (shift <= 64) {
        half = std::uint64_t{1} << (shift - 1);
        kept = shift == 64 ? 0 : number.significand >> shift;
        cut = number.significand & (half | (half - 1));
    } else {  // far below the last place
        half = 2;
        cut = 1;
    }
    const int against_half = cut > half ? 1 : cut == half ? 0 : -1;
    if (shift > 0 && rounds_up(rounding, number.negative, (kept & 1) != 0, cut != 0, against_half)) ++kept;
    const std::uint64_t magnitude = (static_cast<std::uint64_t>(leading - least) << format.mantissa) + kept;
    return leading - least >= (1 << format.exponent) || magnitude > format.infinity ? format.infinity : magnitude;
}

// The bits of a number in the format. saturate_finite: values beyond the range, infinities too, become the largest finite one.
inline std::uint64_t pack(const Unpacked& number, const FloatFormat& format, ptx::Rounding rounding, bool saturate_finite) {
    if (number.nan) return format.nan;
    std::uint64_t magnitude = number.infinite ? format.infinity : round_magnitude(number, format, rounding);
    if (magnitude >= format.infinity) {
        const bool finite = saturate_finite || (!number.infinite && overflows_to_largest(rounding, number.negative));
        magnitude = finite ? format.largest : format.infinity;
    }
    return magnitude | static_cast<std::uint64_t>(number.negative) << format.sign_position();
}

// A NaN with the sign and the leading bits of the payload, quiet.
inline std::uint64_t pack_payload(const Unpacked& nan, const FloatFormat& format) {
    constexpr std::uint64_t quiet = std::uint64_t{1} << 63;
    return format.infinity | (nan.significand | quiet) >> (64 - format.mantissa) | static_cast<std::uint64_t>(nan.negative) << format.sign_position();
}

}  // namespace optiml::emulator::OPTIML_LEVEL
