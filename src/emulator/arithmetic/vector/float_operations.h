#pragma once
// Operations on single f32 and f64 values, correctly rounded in the host's current direction, and how modifiers change them.

#include <cstdint>
#include <type_traits>

#include "emulator/arithmetic/vector/values.h"
#include "ptx/opcode.h"

namespace optiml::emulator::OPTIML_LEVEL {

template <class T>
struct FloatLayout;
template <>
struct FloatLayout<float> {
    static constexpr std::uint32_t sign = 0x80000000u, exponent = 0x7f800000u, canonical_nan = 0x7fffffffu;
};
template <>
struct FloatLayout<double> {
    static constexpr std::uint64_t sign = 1ull << 63, exponent = 0x7ffull << 52, canonical_nan = 0xfff8000000000000ull;
};

// Every f32 NaN that the device makes has the same bits, whatever the sources.
template <class... Sources>
[[gnu::always_inline]] inline float settle_nan(float result, Sources...) {
    return result == result ? result : bits_as<float>(FloatLayout<float>::canonical_nan);
}

// An f64 NaN is that of the sources, quiet. Of several the device takes the second, then the third, then the first.
[[gnu::always_inline]] inline double settle_nan(double result, double a) {
    constexpr std::uint64_t quiet = 1ull << 51;
    const std::uint64_t nan = a == a ? FloatLayout<double>::canonical_nan : bits_as<std::uint64_t>(a) | quiet;
    return result == result ? result : bits_as<double>(nan);
}
[[gnu::always_inline]] inline double settle_nan(double result, double a, double b) { return settle_nan(result, b == b ? a : b); }
[[gnu::always_inline]] inline double settle_nan(double result, double a, double b, double c) {
    return settle_nan(result, c == c ? a : c, b);
}

// .ftz: a subnormal becomes a zero of its sign.
template <class T>
[[gnu::always_inline]] inline T flushed(T value) {
    const auto bits = bits_as<Word<T>>(value);
    return (bits & FloatLayout<T>::exponent) != 0 ? value : bits_as<T>(bits & FloatLayout<T>::sign);
}

// .sat: into [0, 1], NaN to +0.
template <class T>
[[gnu::always_inline]] inline T saturated(T value) {
    return value > T{0} ? (value < T{1} ? value : T{1}) : T{0};
}

// a + b with the error of the rounding, exactly (D. Knuth's two-sum).
struct ExactSum {
    double sum, error;
};
[[gnu::always_inline]] inline ExactSum exact_sum(double a, double b) {
    const double sum = a + b, of_a = sum - b, of_b = sum - of_a;
    return {sum, (a - of_a) + (b - of_b)};
}

// a + b rounded to odd: rounded again, to a format of at most 51 bits, it is as if rounded once
// (S. Boldo, G. Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd").
[[gnu::always_inline]] inline double odd_sum(double a, double b) {
    const auto [sum, error] = exact_sum(a, b);
    const auto bits = bits_as<std::uint64_t>(sum);
    // The exact value lies between sum and its neighbour on the error's side: take the odd one of the two.
    const std::uint64_t towards_zero = bits_as<std::uint64_t>(error) >> 63 != bits >> 63 ? 1 : 0;
    const std::uint64_t odd = (bits - towards_zero) | 1;
    return bits_as<double>(__builtin_fabs(error) > 0 ? odd : bits);  // not where sum is infinite or NaN
}

// To f32, rounded to odd. Below f32's normal range: to the nearest multiple of 2^-133, the least bf16.
[[gnu::always_inline]] inline float odd_float(double value) {
    constexpr double magic = 0x1.8p52 * 0x1p-133;
    constexpr std::uint64_t last = 1ull << 29;  // the last place of an f32
    const double multiple = __builtin_copysign((value + magic) - magic, value);
    const std::uint64_t bits = bits_as<std::uint64_t>(__builtin_fabs(value) < 0x1p-126 ? multiple : value);
    const std::uint64_t sticky = (bits & (last - 1)) != 0 ? last : 0;
    return static_cast<float>(bits_as<double>((bits & ~(last - 1)) | sticky));
}

struct FloatAdd {
    template <class T> T operator()(T a, T b) const { return a + b; }
};
struct FloatSubtract {
    template <class T> T operator()(T a, T b) const { return a - b; }
};
struct FloatMultiply {
    template <class T> T operator()(T a, T b) const { return a * b; }
};
struct FloatDivide {
    template <class T> T operator()(T a, T b) const { return a / b; }
    static constexpr bool prefers_first_nan = true;
};
struct FloatReciprocal {
    template <class T> T operator()(T a) const { return T{1} / a; }
};
struct FloatSquareRoot {
    float operator()(float a) const { return __builtin_sqrtf(a); }
    double operator()(double a) const { return __builtin_sqrt(a); }
};

// In any rounding direction.
struct FusedMultiplyAdd {
    float operator()(float a, float b, float c) const { return __builtin_fmaf(a, b, c); }
    double operator()(double a, double b, double c) const { return __builtin_fma(a, b, c); }
};

// To nearest only. Without the instruction, f32: the product is exact in double, the sum is rounded to odd there.
struct FusedMultiplyAddNearest {
    double operator()(double a, double b, double c) const { return __builtin_fma(a, b, c); }
    float operator()(float a, float b, float c) const {
#if defined(__FMA__)
        return __builtin_fmaf(a, b, c);
#else
        return static_cast<float>(odd_sum(static_cast<double>(a) * b, c));
#endif
    }
};

// The device orders -0 below +0; of a number and a NaN it returns the number.
struct FloatMinimum {
    template <class T> T operator()(T a, T b) const {
        const auto either = bits_as<T>(bits_as<Word<T>>(a) | bits_as<Word<T>>(b));
        return a < b ? a : a == b ? either : b != b ? a : b;
    }
};
struct FloatMaximum {
    template <class T> T operator()(T a, T b) const {
        const auto both = bits_as<T>(bits_as<Word<T>>(a) & bits_as<Word<T>>(b));
        return a > b ? a : a == b ? both : b != b ? a : b;
    }
};

struct FloatAbsolute {
    template <class T> T operator()(T a) const { return bits_as<T>(bits_as<Word<T>>(a) & ~FloatLayout<T>::sign); }
};
struct FloatNegate {
    template <class T> T operator()(T a) const { return bits_as<T>(bits_as<Word<T>>(a) ^ FloatLayout<T>::sign); }
};
// The sign of the first on the magnitude of the second.
struct CopySign {
    template <class T> T operator()(T a, T b) const {
        constexpr auto sign = FloatLayout<T>::sign;
        return bits_as<T>((bits_as<Word<T>>(a) & sign) | (bits_as<Word<T>>(b) & ~sign));
    }
};

template <class Operation, class T, class... More>
[[gnu::always_inline]] inline T settled(T first, More... more) {
    const T result = Operation()(first, more...);
    if constexpr (requires { Operation::prefers_first_nan; }) return settle_nan(result, more..., first);
    else return settle_nan(result, first, more...);
}

// An operation as it is, with .sat, and with .ftz where no rounding can come near the least normal number.
template <class Operation>
struct Plain {
    template <class... T> auto operator()(T... values) const { return settled<Operation>(values...); }
};
template <class Operation>
struct Saturated {
    template <class... T> auto operator()(T... values) const { return saturated(settled<Operation>(values...)); }
};
template <class Operation>
struct Flushed {
    template <class... T> auto operator()(T... values) const { return flushed(settled<Operation>(flushed(values)...)); }
};

}  // namespace optiml::emulator::OPTIML_LEVEL
