#pragma once
// Comparisons by the instruction's modifier, for the forms that are too rare for an instance a comparison.

#include "emulator/arithmetic/vector/apply.h"
#include "emulator/arithmetic/vector/half_values.h"

namespace optiml::emulator::OPTIML_LEVEL {

// What two values can be to each other; a comparison is the set of those for which it holds.
enum Relation : std::uint32_t { kLess = 1, kEqual = 2, kGreater = 4, kUnordered = 8 };

inline std::uint32_t relations_of(ptx::Compare compare) {
    using enum ptx::Compare;
    switch (compare) {
        case eq: return kEqual;
        case ne: return kLess | kGreater;
        case lt: case lo: return kLess;
        case le: case ls: return kLess | kEqual;
        case gt: case hi: return kGreater;
        case ge: case hs: return kGreater | kEqual;
        case num: return kLess | kEqual | kGreater;
        case equ: return kEqual | kUnordered;
        case neu: return kLess | kGreater | kUnordered;
        case ltu: return kLess | kUnordered;
        case leu: return kLess | kEqual | kUnordered;
        case gtu: return kGreater | kUnordered;
        case geu: return kGreater | kEqual | kUnordered;
        case nan: return kUnordered;
        default: return 0;
    }
}

struct AnyTest {
    explicit AnyTest(const ptx::Modifiers& modifiers) : relations(relations_of(modifiers.compare)), flush(modifiers.ftz) {}
    template <class T> bool operator()(T a, T b) const {
        if constexpr (std::is_floating_point_v<T>) {
            a = flush ? flushed(a) : a;
            b = flush ? flushed(b) : b;
        }
        const std::uint32_t ordered = (a < b ? kLess : 0u) | (a == b ? kEqual : 0u) | (a > b ? kGreater : 0u);
        return (relations & (ordered == 0 ? kUnordered : ordered)) != 0;
    }
    std::uint32_t relations;
    bool flush;
};

// On the lower or upper 16 bits of a word.
template <class Format, bool upper>
struct AnyHalfTest : AnyTest {
    explicit AnyHalfTest(const ptx::Modifiers& modifiers) : AnyTest(modifiers), sources(modifiers.ftz) { flush = false; }
    bool operator()(std::uint32_t a, std::uint32_t b) const { return AnyTest::operator()(value(a), value(b)); }
    float value(std::uint32_t word) const {
        return Format::widen(sources.source(upper ? word >> 16 : word & 0xffff));
    }
    HalfFlush<Format> sources;
};

inline LaneMask combine(ptx::BooleanOperation boolean, LaneMask left, LaneMask right) {
    switch (boolean) {
        case ptx::BooleanOperation::and_: return left & right;
        case ptx::BooleanOperation::or_: return left | right;
        case ptx::BooleanOperation::xor_: return left ^ right;
        default: return left;
    }
}

// The lanes of a test of setp or set, combined with the third source where the instruction says so.
inline LaneMask combined(const LaneOperands& operands, LaneMask holds) {
    const auto boolean = operands.modifiers->boolean;
    return boolean == ptx::BooleanOperation::none ? holds : combine(boolean, holds, predicate(operands, 2));
}

}  // namespace optiml::emulator::OPTIML_LEVEL
