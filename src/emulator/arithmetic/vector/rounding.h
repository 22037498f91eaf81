#pragma once
// The host's rounding direction and its treatment of subnormals, for one row: .rz .rm .rp and .ftz of arithmetic.

#include <xmmintrin.h>

#include "ptx/opcode.h"

namespace optiml::emulator::OPTIML_LEVEL {

// Loads, operations and stores between construction and destruction stay there: both are barriers for memory, and the rows are
// memory that others see. x86's flush to zero is the device's .ftz: sources that are subnormal count as zeros, and so do results
// that would be below the least normal number even if the exponent had no bound.
class RoundingScope {
public:
    RoundingScope(ptx::Rounding rounding, bool flush) : saved_(_mm_getcsr()) {
        constexpr unsigned flush_results = 1u << 15, flush_sources = 1u << 6;
        const unsigned direction = rounding == ptx::Rounding::rz   ? _MM_ROUND_TOWARD_ZERO
                                   : rounding == ptx::Rounding::rm ? _MM_ROUND_DOWN
                                   : rounding == ptx::Rounding::rp ? _MM_ROUND_UP
                                                                   : _MM_ROUND_NEAREST;
        _mm_setcsr((saved_ & ~static_cast<unsigned>(_MM_ROUND_MASK)) | direction | (flush ? flush_results | flush_sources : 0));
        asm volatile("" ::: "memory");
    }
    ~RoundingScope() {
        asm volatile("" ::: "memory");
        _mm_setcsr(saved_);
    }
    RoundingScope(const RoundingScope&) = delete;
    RoundingScope& operator=(const RoundingScope&) = delete;

private:
    unsigned saved_;
};

}  // namespace optiml::emulator::OPTIML_LEVEL
