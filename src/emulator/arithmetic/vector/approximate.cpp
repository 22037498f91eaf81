// The special function unit: .approx and .full of f32, the half precision ones, and the start values for f64.
// Computed in double and rounded, so within an ulp of the exact value where the device is within two.

#include "emulator/arithmetic/vector/by_type.h"
#include "emulator/arithmetic/vector/double_functions.h"
#include "emulator/arithmetic/vector/find.h"
#include "emulator/arithmetic/vector/half_values.h"

namespace optiml::emulator::OPTIML_LEVEL {
namespace {

using ptx::Approximation;
using ptx::Opcode;
using ptx::Type;

constexpr float kInfinity = __builtin_inff();
constexpr float kNotANumber = __builtin_nanf("");

struct ApproximateReciprocal {
    float operator()(float a) const { return 1.0f / a; }
};
struct ApproximateSquareRoot {
    float operator()(float a) const { return __builtin_sqrtf(a); }
};
struct ReciprocalSquareRoot {
    float operator()(float a) const { return static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(a))); }
};
struct PowerOfTwo {
    float operator()(float a) const { return a == a ? static_cast<float>(exp2_of(a)) : a; }
};
struct Logarithm {
    float operator()(float a) const {
        const float finite = static_cast<float>(log2_of(a > 0 && a < kInfinity ? a : 1.0f));
        return a > 0 ? (a < kInfinity ? finite : a) : a == 0 ? -kInfinity : kNotANumber;
    }
};

// The device multiplies by 1/(2 pi) in f32 first, towards zero, which limits what is left of a large argument; a subnormal product
// counts as zero.
[[gnu::always_inline]] inline float sine_by_unit(float a, std::uint64_t quarter) {
    constexpr std::uint64_t beyond_f32 = (1ull << 29) - 1;
    const double product = static_cast<double>(a) * 0.15915493667125701904;  // exact
    const double cut = bits_as<double>(bits_as<std::uint64_t>(product) & ~beyond_f32);
    const double turns = __builtin_fabs(cut) < 0x1p-126 ? __builtin_copysign(0.0, cut) : cut;
    const double whole = (turns + kRoundMagic) - kRoundMagic;
    const double part = __builtin_fabs(turns) < 0x1p51 ? turns - whole : 0.0;  // beyond, turns are whole
    const auto value = static_cast<float>(sine_of_turns(part, quarter));
    return __builtin_fabsf(a) < kInfinity ? value : kNotANumber;
}
struct Sine {
    float operator()(float a) const { return sine_by_unit(a, 0); }
};
struct Cosine {
    float operator()(float a) const { return sine_by_unit(a, 1); }
};
struct HyperbolicTangent {
    float operator()(float a) const { return static_cast<float>(tanh_of(a)); }
};

// .approx is a product with the reciprocal, which is 0 beyond 2^126; .full scales first.
struct ApproximateDivide {
    float operator()(float a, float b) const {
        const bool beyond = __builtin_fabsf(b) > 0x1p126f && __builtin_fabsf(b) < kInfinity;
        return a / (beyond ? __builtin_copysignf(kInfinity, b) : b);
    }
};

// Start values for f64 iterations: from the upper word of the source comes the upper word of the result. Subnormals are flushed.
[[gnu::always_inline]] inline double upper_word(double value) { return bits_as<double>(bits_as<std::uint64_t>(value) >> 32 << 32); }
[[gnu::always_inline]] inline double start_value(double value) {
    return value == value ? upper_word(flushed(value)) : bits_as<double>(0x7fffffffull << 32);
}
struct StartReciprocal {
    double operator()(double a) const { return start_value(1.0 / flushed(upper_word(a))); }
};
struct StartReciprocalSquareRoot {
    double operator()(double a) const { return start_value(1.0 / __builtin_sqrt(flushed(upper_word(a)))); }
};
struct ReciprocalSquareRootOfDouble {
    double operator()(double a) const { return settle_nan(1.0 / __builtin_sqrt(a), a); }
};

template <class Operation, class Format>
struct HalfByFloat {
    explicit HalfByFloat(const ptx::Modifiers& modifiers) : flush(modifiers.ftz) {}
    std::uint32_t one(std::uint32_t bits) const { return flush.narrow(Operation()(Format::widen(flush.source(bits)))); }
    std::uint32_t operator()(std::uint32_t word) const { return one(word) | one(word >> 16) << 16; }
    HalfFlush<Format> flush;
};
template <class Operation, class Format>
struct HalfByFloatSingle : HalfByFloat<Operation, Format> {
    using HalfByFloat<Operation, Format>::HalfByFloat;
    std::uint32_t operator()(std::uint32_t word) const { return this->one(word); }
};

template <class Operation, int Arity = 1>
LaneFunction find_unit(const Form& form) {
    using W = std::uint32_t;
    if (form.type == Type::f32)
        return form.modifiers.ftz ? uniform<Flushed<Operation>, Arity, float>() : uniform<Plain<Operation>, Arity, float>();
    if constexpr (Arity == 1) {
        switch (form.type) {
            case Type::f16: return map_lanes<HalfByFloatSingle<Operation, HalfFormat>, W, W>;
            case Type::f16x2: return map_lanes<HalfByFloat<Operation, HalfFormat>, W, W>;
            case Type::bf16: return map_lanes<HalfByFloatSingle<Operation, BfloatFormat>, W, W>;
            case Type::bf16x2: return map_lanes<HalfByFloat<Operation, BfloatFormat>, W, W>;
            default: return nullptr;
        }
    }
    return nullptr;
}

LaneFunction find_for_double(const Form& form) {
    if (form.opcode == Opcode::rcp) return uniform<StartReciprocal, 1, double>();
    if (form.opcode == Opcode::rsqrt) return form.modifiers.ftz ? uniform<StartReciprocalSquareRoot, 1, double>() : uniform<ReciprocalSquareRootOfDouble, 1, double>();
    return nullptr;
}

}  // namespace

LaneFunction find_approximate(const Form& form) {
    if (form.modifiers.approximation == Approximation::none) return nullptr;
    if (form.type == Type::f64) return find_for_double(form);
    switch (form.opcode) {
        case Opcode::div:
            return form.modifiers.approximation == Approximation::full ? find_unit<FloatDivide, 2>(form) : find_unit<ApproximateDivide, 2>(form);
        case Opcode::rcp: return find_unit<ApproximateReciprocal>(form);
        case Opcode::sqrt: return find_unit<ApproximateSquareRoot>(form);
        case Opcode::rsqrt: return find_unit<ReciprocalSquareRoot>(form);
        case Opcode::ex2: return find_unit<PowerOfTwo>(form);
        case Opcode::lg2: return find_unit<Logarithm>(form);
        case Opcode::sin: return find_unit<Sine>(form);
        case Opcode::cos: return find_unit<Cosine>(form);
        case Opcode::tanh: return find_unit<HyperbolicTangent>(form);
        default: return nullptr;
    }
}

}  // namespace optiml::emulator::OPTIML_LEVEL
