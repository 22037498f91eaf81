#pragma once
// Rounding of floats to whole numbers, in operations that vectorise.

#include "emulator/arithmetic/vector/float_operations.h"

namespace optiml::emulator::OPTIML_LEVEL {

// .rni .rzi .rmi .rpi. The sign stays, also that of a zero.
struct RoundToWhole {
    explicit RoundToWhole(ptx::Rounding rounding) : rounding(rounding) {}
    template <class T> T operator()(T value) const {
        constexpr T magic = sizeof(T) == 8 ? static_cast<T>(0x1p52) : static_cast<T>(0x1p23);  // from here on all values are whole
        const T magnitude = bits_as<T>(bits_as<Word<T>>(value) & ~FloatLayout<T>::sign);
        const T nearest = (magnitude + magic) - magic;
        const T down = nearest - (nearest > magnitude ? T{1} : T{0});
        const T up = nearest + (nearest < magnitude ? T{1} : T{0});
        const bool negative = value < 0;
        T whole = nearest;
        if (rounding == ptx::Rounding::rzi) whole = down;
        if (rounding == ptx::Rounding::rmi) whole = negative ? up : down;
        if (rounding == ptx::Rounding::rpi) whole = negative ? down : up;
        const T result = bits_as<T>(bits_as<Word<T>>(whole) | (bits_as<Word<T>>(value) & FloatLayout<T>::sign));
        return magnitude < magic ? result : value;
    }
    ptx::Rounding rounding;
};

}  // namespace optiml::emulator::OPTIML_LEVEL
