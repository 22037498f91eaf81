#pragma once
// Values as they stand in a lane's word: 8- and 16-bit ones zero-extended to 32 bits.

#include <cstdint>
#include <type_traits>

namespace optiml::emulator::OPTIML_LEVEL {

struct Half { std::uint16_t bits; };    // IEEE binary16
struct Bfloat { std::uint16_t bits; };  // upper half of a binary32

template <class T>
using Word = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

template <class To, class From>
[[gnu::always_inline]] constexpr To bits_as(From value) {
    return __builtin_bit_cast(To, value);
}

template <class T>
[[gnu::always_inline]] constexpr T from_word(Word<T> word) {
    if constexpr (sizeof(T) == sizeof(Word<T>))
        return bits_as<T>(word);
    else if constexpr (std::is_integral_v<T>)
        return static_cast<T>(word);
    else
        return T{static_cast<std::uint16_t>(word)};
}

template <class T>
[[gnu::always_inline]] constexpr Word<T> to_word(T value) {
    if constexpr (sizeof(T) == sizeof(Word<T>))
        return bits_as<Word<T>>(value);
    else if constexpr (std::is_integral_v<T>)
        return static_cast<std::make_unsigned_t<T>>(value);
    else
        return value.bits;
}

}  // namespace optiml::emulator::OPTIML_LEVEL
