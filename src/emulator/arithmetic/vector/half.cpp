// f16, f16x2, bf16 and bf16x2 arithmetic.

#include "emulator/arithmetic/vector/apply.h"
#include "emulator/arithmetic/vector/find.h"
#include "emulator/arithmetic/vector/half_values.h"

namespace optiml::emulator::OPTIML_LEVEL {
namespace {

using ptx::Opcode;
using ptx::Type;

// Sums and products are rounded twice, to f32 and then to 16 bits, which is as if once: 24 bits are at least 2 * 11 + 2.
struct HalfAdd {
    float operator()(float a, float b) const { return a + b; }
};
struct HalfSubtract {
    float operator()(float a, float b) const { return a - b; }
};
struct HalfMultiply {
    float operator()(float a, float b) const { return a * b; }
};
struct HalfMultiplyAdd {
    float operator()(float a, float b, float c) const { return odd_float(odd_sum(static_cast<double>(a) * b, c)); }
};

// An operation in f32 on bits of a 16-bit format, with the instruction's modifiers.
template <class Operation, class Format>
struct InFormat {
    explicit InFormat(const ptx::Modifiers& modifiers) : flush(modifiers.ftz), saturate(modifiers.saturate ? ~0u : 0), of_negative(modifiers.relu ? 0 : ~0u) {}
    template <class... Bits> std::uint32_t operator()(Bits... bits) const {
        const std::uint32_t exact = flush.narrow(Operation()(Format::widen(flush.source(bits))...));
        const std::uint32_t result = exact & ((exact & 0x8000) != 0 ? of_negative : ~0u);
        const std::uint32_t below_one = result < Format::one ? result : Format::one;
        const std::uint32_t in_unit = result <= Format::infinity ? below_one : 0;  // also 0: negative ones and NaNs
        return (in_unit & saturate) | (result & ~saturate);
    }
    HalfFlush<Format> flush;
    std::uint32_t saturate, of_negative;  // masks, see whole_numbers.h
};

// neg and abs change the sign bit alone; every NaN becomes the canonical one.
template <class Format>
struct SignOperation {
    explicit SignOperation(const ptx::Modifiers& modifiers) : flush(modifiers.ftz) {}
    std::uint32_t settled(std::uint32_t bits) const {
        return (bits & 0x7fff) > Format::infinity ? kCanonicalNan16 : flush.source(bits);
    }
    HalfFlush<Format> flush;
};
template <class Format>
struct HalfNegate : SignOperation<Format> {
    using SignOperation<Format>::SignOperation;
    std::uint32_t operator()(std::uint32_t bits) const { return this->settled((bits ^ 0x8000) & 0xffff); }
};
template <class Format>
struct HalfAbsolute : SignOperation<Format> {
    using SignOperation<Format>::SignOperation;
    std::uint32_t operator()(std::uint32_t bits) const { return this->settled(bits & 0x7fff); }
};

// min and max order the bits as sign and magnitude: -0 is below +0.
template <bool maximum, class Format>
struct HalfExtremum {
    explicit HalfExtremum(const ptx::Modifiers& modifiers)
        : flush(modifiers.ftz), propagate(modifiers.propagate_nan), magnitudes(modifiers.xor_sign_abs) {}
    std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
        a = flush.source(a);
        b = flush.source(b);
        const std::uint32_t sign = magnitudes ? (a ^ b) & 0x8000 : 0, kept = magnitudes ? 0x7fff : 0xffff;
        a &= kept;
        b &= kept;
        const bool nan_a = (a & 0x7fff) > Format::infinity, nan_b = (b & 0x7fff) > Format::infinity;
        const std::uint32_t larger = order(a) > order(b) ? a : b, smaller = order(a) > order(b) ? b : a;
        const std::uint32_t number = maximum ? larger : smaller, or_first = nan_b ? a : number, result = nan_a ? b : or_first;
        return (propagate ? nan_a | nan_b : nan_a & nan_b) ? kCanonicalNan16 : result | sign;
    }
    static std::int32_t order(std::uint32_t bits) {
        const auto magnitude = static_cast<std::int32_t>(bits & 0x7fff);
        return (bits & 0x8000) != 0 ? ~magnitude : magnitude;
    }
    HalfFlush<Format> flush;
    bool propagate, magnitudes;
};
template <class Format>
using HalfMinimum = HalfExtremum<false, Format>;
template <class Format>
using HalfMaximum = HalfExtremum<true, Format>;

// One value a word, or two. Operations ignore the upper half of their sources and leave that of the result zero.
template <class Operation>
struct Single : Operation {
    using Operation::Operation;
    template <class... Words> std::uint32_t operator()(Words... words) const { return Operation::operator()(words...); }
};
template <class Operation>
struct Both : Operation {
    using Operation::Operation;
    template <class... Words> std::uint32_t operator()(Words... words) const {
        return Operation::operator()(words...) | Operation::operator()((words >> 16)...) << 16;
    }
};

template <class Operation, int Arity>
constexpr LaneFunction on_words() {
    using W = std::uint32_t;
    if constexpr (Arity == 1) return map_lanes<Operation, W, W>;
    else if constexpr (Arity == 2) return map_lanes<Operation, W, W, W>;
    else return map_lanes<Operation, W, W, W, W>;
}

template <template <class> class Operation, int Arity>
LaneFunction by_format(Type type) {
    switch (type) {
        case Type::f16: return on_words<Single<Operation<HalfFormat>>, Arity>();
        case Type::f16x2: return on_words<Both<Operation<HalfFormat>>, Arity>();
        case Type::bf16: return on_words<Single<Operation<BfloatFormat>>, Arity>();
        case Type::bf16x2: return on_words<Both<Operation<BfloatFormat>>, Arity>();
        default: return nullptr;
    }
}

template <class Format>
using AddInFormat = InFormat<HalfAdd, Format>;
template <class Format>
using SubtractInFormat = InFormat<HalfSubtract, Format>;
template <class Format>
using MultiplyInFormat = InFormat<HalfMultiply, Format>;
template <class Format>
using MultiplyAddInFormat = InFormat<HalfMultiplyAdd, Format>;

}  // namespace

LaneFunction find_half(const Form& form) {
    switch (form.opcode) {
        case Opcode::add: return by_format<AddInFormat, 2>(form.type);
        case Opcode::sub: return by_format<SubtractInFormat, 2>(form.type);
        case Opcode::mul: return by_format<MultiplyInFormat, 2>(form.type);
        case Opcode::fma: return by_format<MultiplyAddInFormat, 3>(form.type);
        case Opcode::neg: return by_format<HalfNegate, 1>(form.type);
        case Opcode::abs: return by_format<HalfAbsolute, 1>(form.type);
        case Opcode::min: return by_format<HalfMinimum, 2>(form.type);
        case Opcode::max: return by_format<HalfMaximum, 2>(form.type);
        default: return nullptr;
    }
}

}  // namespace optiml::emulator::OPTIML_LEVEL
