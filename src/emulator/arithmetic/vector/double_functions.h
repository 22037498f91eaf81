#pragma once
// Elementary functions in double, good to about 1e-12: far below an f32 ulp. Without library calls, so that they vectorise, and
// with explicit roundings only, so that every level gives the same bits.

#include <cstdint>

#include "emulator/arithmetic/vector/values.h"

namespace optiml::emulator::OPTIML_LEVEL {

// Adding and subtracting it rounds to the nearest whole number; the sum's low bits are that number.
constexpr double kRoundMagic = 0x1.8p52;

template <int count>
[[gnu::always_inline]] inline double polynomial(double x, const double (&coefficients)[count]) {
    double sum = coefficients[count - 1];
    for (int power = count - 2; power >= 0; --power) sum = sum * x + coefficients[power];
    return sum;
}

// 2^x; x beyond [-1000, 1000] is taken as that end.
[[gnu::always_inline]] inline double exp2_of(double x) {
    constexpr double ln2 = 0x1.62e42fefa39efp-1;
    constexpr double inverse_factorials[] = {1.0, 1.0, 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040, 1.0 / 40320,
                                             1.0 / 362880, 1.0 / 3628800};
    const double low = x < -1000.0 ? -1000.0 : x, clamped = low > 1000.0 ? 1000.0 : low;
    const double shifted = clamped + kRoundMagic, fraction = clamped - (shifted - kRoundMagic);
    const double value = polynomial(fraction * ln2, inverse_factorials);
    return bits_as<double>(bits_as<std::uint64_t>(value) + (bits_as<std::uint64_t>(shifted) << 52));
}

// The base-2 logarithm of a positive normal number.
[[gnu::always_inline]] inline double log2_of(double x) {
    // x = 2^exponent * m with m in [sqrt(1/2), sqrt(2)); log m = 2 artanh s with s = (m - 1) / (m + 1), |s| < 0.172.
    constexpr std::uint64_t root_half = 0x3fe6a09e667f3bcdull;
    constexpr double two_over_ln2 = 0x1.71547652b82fep1;
    constexpr double odd[] = {1.0, 1.0 / 3, 1.0 / 5, 1.0 / 7, 1.0 / 9, 1.0 / 11, 1.0 / 13, 1.0 / 15};
    const std::uint64_t bits = bits_as<std::uint64_t>(x);
    // The exponent, biased so that it stays positive, as a double by placing it into the low bits of 2^52.
    constexpr std::uint64_t bias = 1024;
    const std::uint64_t biased = (bits + (bias << 52) - root_half) >> 52;
    const double exponent = bits_as<double>(biased | 0x4330000000000000ull) - (0x1p52 + 1024.0);
    const double m = bits_as<double>(bits - ((biased - bias) << 52));
    const double s = (m - 1.0) / (m + 1.0), square = s * s;
    return exponent + s * polynomial(square, odd) * two_over_ln2;
}

// sin and cos of 2 pi turns; `quarter` 1 turns the sine into the cosine.
[[gnu::always_inline]] inline double sine_of_turns(double turns, std::uint64_t quarter) {
    constexpr double two_pi = 0x1.921fb54442d18p2;
    constexpr double sine[] = {1.0, -1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880, -1.0 / 39916800, 1.0 / 6227020800.0};
    constexpr double cosine[] = {1.0, -1.0 / 2, 1.0 / 24, -1.0 / 720, 1.0 / 40320, -1.0 / 3628800, 1.0 / 479001600.0, -1.0 / 87178291200.0};
    const double quarters = turns * 4.0, shifted = quarters + kRoundMagic;
    const double angle = (quarters - (shifted - kRoundMagic)) * (two_pi / 4), square = angle * angle;
    const std::uint64_t quadrant = bits_as<std::uint64_t>(shifted) + quarter;
    const double value = (quadrant & 1) != 0 ? polynomial(square, cosine) : angle * polynomial(square, sine);
    return (quadrant & 2) != 0 ? -value : value;
}

[[gnu::always_inline]] inline double tanh_of(double x) {
    constexpr double two_over_ln2 = 0x1.71547652b82fep1;
    const double power = exp2_of(x * two_over_ln2);
    const double far = 1.0 - 2.0 / (power + 1.0);
    const double square = x * x, near = x * (1.0 - square * (1.0 / 3) * (1.0 - square * 0.4));  // below 2^-8: to 1e-16
    return __builtin_fabs(x) < 0x1p-8 ? near : far;
}

}  // namespace optiml::emulator::OPTIML_LEVEL
