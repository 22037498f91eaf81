#pragma once
// The host's rounding direction for one row: .rz .rm .rp of arithmetic. Operations that round to nearest never touch it.

#include "emulator/lanes.h"

#if defined(__SSE2__)
#include <xmmintrin.h>
#else
#include <cfenv>
#endif

namespace optiml::emulator::OPTIML_LEVEL {

// Loads, operations and stores between construction and destruction stay between them: both are barriers for memory, and
// the rows are memory that others see.
class RoundingScope {
public:
    explicit RoundingScope(ptx::Rounding rounding) : saved_(get()) {
        if (rounding == ptx::Rounding::rn || rounding == ptx::Rounding::none) return;
        set(rounding);
        changed_ = true;
        asm volatile("" ::: "memory");
    }
    ~RoundingScope() {
        if (!changed_) return;
        asm volatile("" ::: "memory");
        restore();
    }
    RoundingScope(const RoundingScope&) = delete;
    RoundingScope& operator=(const RoundingScope&) = delete;

private:
#if defined(__SSE2__)
    using State = unsigned;
    static State get() { return _mm_getcsr(); }
    void set(ptx::Rounding rounding) {
        const unsigned direction = rounding == ptx::Rounding::rz   ? _MM_ROUND_TOWARD_ZERO
                                   : rounding == ptx::Rounding::rm ? _MM_ROUND_DOWN
                                                                   : _MM_ROUND_UP;
        _mm_setcsr((saved_ & ~static_cast<unsigned>(_MM_ROUND_MASK)) | direction);
    }
    void restore() { _mm_setcsr(saved_); }
#else
    using State = int;
    static State get() { return std::fegetround(); }
    void set(ptx::Rounding rounding) {
        std::fesetround(rounding == ptx::Rounding::rz ? FE_TOWARDZERO : rounding == ptx::Rounding::rm ? FE_DOWNWARD : FE_UPWARD);
    }
    void restore() { std::fesetround(saved_); }
#endif
    State saved_;
    bool changed_ = false;
};

}  // namespace optiml::emulator::OPTIML_LEVEL
