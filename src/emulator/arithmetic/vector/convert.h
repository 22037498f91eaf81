#pragma once
// The parts of cvt's look-up.

#include "emulator/arithmetic/vector/apply.h"
#include "emulator/arithmetic/vector/find.h"

namespace optiml::emulator::OPTIML_LEVEL {

// Bits of an integer type, 0 of others.
inline int integer_bits(ptx::Type type) {
    using enum ptx::Type;
    switch (type) {
        case u8: case s8: case b8: return 8;
        case u16: case s16: case b16: return 16;
        case u32: case s32: case b32: return 32;
        case u64: case s64: case b64: return 64;
        default: return 0;
    }
}
inline bool is_signed_integer(ptx::Type type) {
    using enum ptx::Type;
    return type == s8 || type == s16 || type == s32 || type == s64;
}

// Registers may be wider than cvt's types: whether the rows are of 64-bit words; fitting: whether the source can be read as a row of
// its type and the destination has just its type's width.
struct ConversionWidths {
    bool long_source = false;
    bool long_destination = false;
    bool fitting = false;
};

LaneFunction find_integer_to_integer(const Form& form, const ConversionWidths& widths);
LaneFunction find_float_to_integer(const Form& form, const ConversionWidths& widths);
LaneFunction find_integer_to_float(const Form& form, const ConversionWidths& widths);
LaneFunction find_float_to_float(const Form& form, const ConversionWidths& widths);

}  // namespace optiml::emulator::OPTIML_LEVEL
