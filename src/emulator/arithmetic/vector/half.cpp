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
    explicit InFormat(const ptx::Modifiers& modifiers) : flush(modifiers.ftz), saturate(modifiers.saturate), relu(modifiers.relu) {}
    template <class... Bits> std::uint32_t operator()(Bits... bits) const {
        const float wide = Operation()(Format::widen(flush ? flushed_bits<Format>(bits) : bits)...);
        std::uint32_t result = flush ? narrow_flushed<Format>(wide) : Format::narrow(wide);
        const bool negative = (result & 0x8000) != 0, is_nan = (result & 0x7fff) > Format::infinity;
        if (relu && negative) result = 0;
        if (saturate) result = negative || is_nan ? 0 : result < Format::one ? result : Format::one;
        return result;
    }
    bool flush, saturate, relu;
};

// neg and abs change the sign bit alone; every NaN becomes the canonical one.
template <class Format>
struct SignOperation {
    explicit SignOperation(const ptx::Modifiers& modifiers) : flush(modifiers.ftz) {}
    std::uint32_t settled(std::uint32_t bits) const {
        if ((bits & 0x7fff) > Format::infinity) return kCanonicalNan16;
        return flush ? flushed_bits<Format>(bits) : bits;
    }
    bool flush;
};
template <class Format>
struct HalfNegate : SignOperation<Format> {
    using SignOperation<Format>::SignOperation;
    std::uint32_t operator()(std::uint32_t bits) const { return this->settled(bits ^ 0x8000); }
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
        if (flush) {
            a = flushed_bits<Format>(a);
            b = flushed_bits<Format>(b);
        }
        const std::uint32_t sign = magnitudes ? (a ^ b) & 0x8000 : 0;
        if (magnitudes) {
            a &= 0x7fff;
            b &= 0x7fff;
        }
        const bool nan_a = (a & 0x7fff) > Format::infinity, nan_b = (b & 0x7fff) > Format::infinity;
        const bool first = (order(a) > order(b)) == maximum;
        std::uint32_t result = nan_a ? b : nan_b || first ? a : b;
        if (propagate ? nan_a || nan_b : nan_a && nan_b) return kCanonicalNan16;
        return result | sign;
    }
    static std::int32_t order(std::uint32_t bits) {
        const auto magnitude = static_cast<std::int32_t>(bits & 0x7fff);
        return (bits & 0x8000) != 0 ? ~magnitude : magnitude;
    }
    bool flush, propagate, magnitudes;
};
template <class Format>
using HalfMinimum = HalfExtremum<false, Format>;
template <class Format>
using HalfMaximum = HalfExtremum<true, Format>;

// One value a word, or two.
template <class Operation>
struct Single : Operation {
    using Operation::Operation;
    template <class... Words> std::uint32_t operator()(Words... words) const { return Operation::operator()((words & 0xffff)...); }
};
template <class Operation>
struct Both : Operation {
    using Operation::Operation;
    template <class... Words> std::uint32_t operator()(Words... words) const {
        return Operation::operator()((words & 0xffff)...) | Operation::operator()((words >> 16)...) << 16;
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
