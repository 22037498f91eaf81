#pragma once
// Integer operations on single values. They wrap as the device does, so all arithmetic is done unsigned.

#include <cstdint>
#include <limits>
#include <type_traits>

#include "emulator/arithmetic/vector/values.h"
#include "ptx/opcode.h"

namespace optiml::emulator::OPTIML_LEVEL {

// The type in which T's arithmetic wraps without promotion to a signed int.
template <class T>
using Wrapping = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

__extension__ typedef __int128 Signed128;
__extension__ typedef unsigned __int128 Unsigned128;

// A product of two values of T fits.
template <class T>
using Twice = std::conditional_t<
    sizeof(T) == 8, std::conditional_t<std::is_signed_v<T>, Signed128, Unsigned128>,
    std::conditional_t<sizeof(T) == 4, std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>,
                       std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>>>;

struct Add {
    template <class T> T operator()(T a, T b) const { return static_cast<T>(Wrapping<T>(a) + Wrapping<T>(b)); }
};
struct Subtract {
    template <class T> T operator()(T a, T b) const { return static_cast<T>(Wrapping<T>(a) - Wrapping<T>(b)); }
};
struct Multiply {
    template <class T> T operator()(T a, T b) const { return static_cast<T>(Wrapping<T>(a) * Wrapping<T>(b)); }
};
struct MultiplyAdd {
    template <class T> T operator()(T a, T b, T c) const { return Add()(Multiply()(a, b), c); }
};
struct MultiplyHigh {
    template <class T> T operator()(T a, T b) const {
        return static_cast<T>(static_cast<Twice<T>>(a) * b >> (8 * sizeof(T)));
    }
};
struct MultiplyHighAdd {
    template <class T> T operator()(T a, T b, T c) const { return Add()(MultiplyHigh()(a, b), c); }
};
struct MultiplyWide {
    template <class T> Twice<T> operator()(T a, T b) const { return static_cast<Twice<T>>(a) * b; }
};
struct MultiplyWideAdd {
    template <class T> Twice<T> operator()(T a, T b, Twice<T> c) const { return Add()(MultiplyWide()(a, b), c); }
};

inline std::int32_t saturated(std::int64_t value) {
    constexpr std::int64_t low = std::numeric_limits<std::int32_t>::min(), high = std::numeric_limits<std::int32_t>::max();
    return static_cast<std::int32_t>(value < low ? low : value > high ? high : value);
}
struct AddSaturated {
    std::int32_t operator()(std::int32_t a, std::int32_t b) const { return saturated(std::int64_t{a} + b); }
};
struct SubtractSaturated {
    std::int32_t operator()(std::int32_t a, std::int32_t b) const { return saturated(std::int64_t{a} - b); }
};
struct MultiplyHighAddSaturated {
    std::int32_t operator()(std::int32_t a, std::int32_t b, std::int32_t c) const {
        return saturated(std::int64_t{MultiplyHigh()(a, b)} + c);
    }
};

struct Negate {
    template <class T> T operator()(T a) const { return static_cast<T>(Wrapping<T>(0) - Wrapping<T>(a)); }
};
struct Absolute {
    template <class T> T operator()(T a) const {
        if constexpr (std::is_signed_v<T>) return a < 0 ? Negate()(a) : a;
        else return a;
    }
};
struct Minimum {
    template <class T> T operator()(T a, T b) const { return a < b ? a : b; }
};
struct Maximum {
    template <class T> T operator()(T a, T b) const { return a < b ? b : a; }
};

// |a - b| + c
struct SumOfDifference {
    template <class T> T operator()(T a, T b, T c) const { return Add()(a < b ? Subtract()(b, a) : Subtract()(a, b), c); }
};

// The product of two 24-bit values; .hi are its bits 16 to 47.
struct Multiply24 {
    explicit Multiply24(const ptx::Modifiers& modifiers) : high(modifiers.half == ptx::Half::hi) {}
    template <class T> T operator()(T a, T b) const {
        const auto product = static_cast<Twice<T>>(narrowed(a)) * narrowed(b);
        return static_cast<T>(high ? product >> 16 : product);
    }
    // The lowest 24 bits, of signed values with their sign.
    template <class T> static T narrowed(T value) { return static_cast<T>(Wrapping<T>(value) << 8) >> 8; }
    bool high;
};
struct MultiplyAdd24 {
    explicit MultiplyAdd24(const ptx::Modifiers& modifiers) : multiply(modifiers), saturate(modifiers.saturate) {}
    template <class T> T operator()(T a, T b, T c) const {
        const T product = multiply(a, b);
        if constexpr (std::is_signed_v<T>)
            if (saturate) return AddSaturated()(product, c);
        return Add()(product, c);
    }
    Multiply24 multiply;
    bool saturate;
};

// .relu of integers: not below 0.
template <class Operation>
struct NotNegative {
    template <class T> T operator()(T a, T b) const { return Maximum()(Operation()(a, b), T{0}); }
};

// The same on both 16-bit halves of a word.
template <class Operation, class T>
struct OnHalves {
    std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
        const T low = Operation()(static_cast<T>(a), static_cast<T>(b));
        const T high = Operation()(static_cast<T>(a >> 16), static_cast<T>(b >> 16));
        return static_cast<std::uint16_t>(low) | static_cast<std::uint32_t>(static_cast<std::uint16_t>(high)) << 16;
    }
};

// Rounds to the nearest whole number, for magnitudes below 2^51; only operations that vectorise on every level.
constexpr double kWholeMagic = 0x1.8p52;
[[gnu::always_inline]] inline std::int64_t nearest_whole(double value) {
    return static_cast<std::int64_t>(bits_as<std::uint64_t>(value + kWholeMagic) - bits_as<std::uint64_t>(kWholeMagic));
}

// Division by zero gives all ones, as the device's instruction sequence does; the most negative number by -1 wraps.
// Up to 32 bits the quotient is computed in double, which vectorises: rounded to a whole number, and one less where that exceeds it.
struct Divide {
    template <class T> T operator()(T a, T b) const {
        if constexpr (sizeof(T) == 8) {
            if (b == 0) return static_cast<T>(-1);
            if constexpr (std::is_signed_v<T>)
                if (b == -1) return Negate()(a);
            return a / b;
        } else {
            const double dividend = a, divisor = b == 0 ? 1.0 : static_cast<double>(b);
            const double magnitude = __builtin_fabs(dividend), unit = __builtin_fabs(divisor);
            const double nearest = (magnitude / unit + kWholeMagic) - kWholeMagic;
            const double quotient = nearest - (nearest * unit > magnitude ? 1.0 : 0.0);
            const std::int64_t result = nearest_whole((dividend < 0) != (divisor < 0) ? -quotient : quotient);
            return b == 0 ? static_cast<T>(-1) : static_cast<T>(result);
        }
    }
};
struct Remainder {
    template <class T> T operator()(T a, T b) const {
        return b == 0 ? static_cast<T>(-1) : Subtract()(a, Multiply()(Divide()(a, b), b));
    }
};

}  // namespace optiml::emulator::OPTIML_LEVEL
