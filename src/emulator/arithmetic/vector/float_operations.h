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
    static constexpr std::uint64_t sign = 1ull << 63, exponent = 0x7ffull << 52, canonical_nan = 0x7ff8000000000000ull;
};

// Every f32 NaN that the device makes has the same bits.
template <class T>
[[gnu::always_inline]] inline T canonical(T value) {
    return value == value ? value : bits_as<T>(FloatLayout<T>::canonical_nan);
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

// To nearest only. Without the instruction, f32: the product is exact in double; the sum is rounded to odd there, so that the
// second rounding to f32 cannot be misled by the first (S. Boldo, G. Melquiond, "Emulation of FMA and correctly rounded sums").
struct FusedMultiplyAddNearest {
    double operator()(double a, double b, double c) const { return __builtin_fma(a, b, c); }
    float operator()(float a, float b, float c) const {
#if defined(__FMA__)
        return __builtin_fmaf(a, b, c);
#else
        const double product = static_cast<double>(a) * b, addend = c;
        const double sum = product + addend;
        const double of_product = sum - addend, of_addend = sum - of_product;
        const double error = (product - of_product) + (addend - of_addend);
        const auto bits = bits_as<std::uint64_t>(sum);
        // The exact value lies between sum and its neighbour on the error's side: take the odd one of the two.
        const std::uint64_t towards_zero = bits_as<std::uint64_t>(error) >> 63 != bits >> 63 ? 1 : 0;
        const bool inexact = error < 0 || error > 0;  // false where sum is infinite or NaN
        const std::uint64_t odd = (bits - towards_zero) | 1;
        return static_cast<float>(bits_as<double>(inexact ? odd : bits));
#endif
    }
};

// The device orders -0 below +0 and returns the operand that is a number.
struct FloatMinimum {
    template <class T> T operator()(T a, T b) const {
        const auto either = bits_as<T>(bits_as<Word<T>>(a) | bits_as<Word<T>>(b));
        const T number = b == b ? b : a;
        return a < b ? a : a == b ? either : a != a ? number : b;
    }
};
struct FloatMaximum {
    template <class T> T operator()(T a, T b) const {
        const auto both = bits_as<T>(bits_as<Word<T>>(a) & bits_as<Word<T>>(b));
        return a > b ? a : a == b ? both : a != a ? b : b != b ? a : b;
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

// An operation without modifiers, with .ftz alone, and with whatever the instruction says.
template <class Operation>
struct Plain {
    template <class... T> auto operator()(T... values) const { return canonical(Operation()(values...)); }
};
template <class Operation>
struct Flushed {
    template <class... T> auto operator()(T... values) const { return flushed(canonical(Operation()(flushed(values)...))); }
};
template <class Operation>
struct Modified {
    explicit Modified(const ptx::Modifiers& modifiers) : flush(modifiers.ftz), saturate(modifiers.saturate), relu(modifiers.relu) {}
    template <class... T> auto operator()(T... values) const {
        auto result = canonical(Operation()((flush ? flushed(values) : values)...));
        if (flush) result = flushed(result);
        if (saturate) result = saturated(result);
        return result;
    }
    bool flush, saturate, relu;
};

}  // namespace optiml::emulator::OPTIML_LEVEL
