#pragma once
// Rounding of floats to whole numbers, in operations that vectorise.

#include "emulator/arithmetic/vector/float_operations.h"

namespace optiml::emulator::OPTIML_LEVEL {

// `one` where the mask is all ones, `other` where it is zero. Conditions that hold for a whole row are masks, since GCC leaves
// a branch in the loop for a bool and then does not vectorise it.
template <class T>
[[gnu::always_inline]] inline T chosen(std::uint64_t mask, T one, T other) {
    const auto select = static_cast<Word<T>>(mask);
    return bits_as<T>((bits_as<Word<T>>(one) & select) | (bits_as<Word<T>>(other) & ~select));
}
constexpr std::uint64_t mask_of(bool condition) { return condition ? ~std::uint64_t{0} : 0; }

// .rni .rzi .rmi .rpi. The sign stays, also that of a zero.
struct RoundToWhole {
    explicit RoundToWhole(ptx::Rounding rounding)
        : to_nearest(mask_of(rounding == ptx::Rounding::rni)), grow_negative(mask_of(rounding == ptx::Rounding::rmi)),
          grow_positive(mask_of(rounding == ptx::Rounding::rpi)) {}
    template <class T> T operator()(T value) const {
        constexpr T magic = sizeof(T) == 8 ? static_cast<T>(0x1p52) : static_cast<T>(0x1p23);  // from here on all values are whole
        const T magnitude = bits_as<T>(bits_as<Word<T>>(value) & ~FloatLayout<T>::sign);
        const T nearest = (magnitude + magic) - magic;
        const T down = nearest - (nearest > magnitude ? T{1} : T{0});
        const T up = nearest + (nearest < magnitude ? T{1} : T{0});
        const T of_negative = chosen(grow_negative, up, down), of_positive = chosen(grow_positive, up, down);
        const T whole = chosen(to_nearest, nearest, value < 0 ? of_negative : of_positive);
        const T result = bits_as<T>(bits_as<Word<T>>(whole) | (bits_as<Word<T>>(value) & FloatLayout<T>::sign));
        return magnitude < magic ? result : value;
    }
    std::uint64_t to_nearest, grow_negative, grow_positive;  // else the magnitude shrinks
};

}  // namespace optiml::emulator::OPTIML_LEVEL
