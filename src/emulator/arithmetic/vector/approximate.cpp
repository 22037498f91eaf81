// The special function unit: .approx and .full of f32, the half precision ones, and the start values for f64.
// Computed in double, then moved by some part of the error that the PTX ISA states (section 9.7.3, for each instruction), the same for
// the same argument: code that is accurate only where a unit is better than promised must not pass. Results that f32 holds exactly stay.

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

// The stated bounds, less the last rounding where they are relative.
constexpr double kRounding = 0x1p-24;
constexpr double kSquareRootError = 0x1p-23 - kRounding;
constexpr double kReciprocalSquareRootError = 1.276e-7 - kRounding;  // 2^-22.9
constexpr double kPowerError = 1.685e-7 - kRounding;                 // 2^-22.5
constexpr double kLogarithmError = 0x1p-22 - kRounding;              // absolute between 1/2 and 2
constexpr double kReciprocalError = 1 - 0.5, kDivisionError = 2 - 0.5;  // ulp
constexpr double kTangentError = 0x1p-11 - kRounding;
constexpr double kSineError = 3e-7;                                  // absolute; 2^-20.5 with what the reduction of the argument loses

// In [-1, 1], by the argument.
[[gnu::always_inline]] inline double drift_of(float a) {
    std::uint32_t bits = bits_as<std::uint32_t>(a) * 0x9e3779b1u;
    bits = (bits ^ bits >> 15) * 0x85ebca77u;
    return static_cast<double>(static_cast<std::int32_t>(bits ^ bits >> 13)) * 0x1p-31;
}

[[gnu::always_inline]] inline float off_by(double exact, float argument, double error) {
    const auto rounded = static_cast<float>(exact);
    const auto moved = static_cast<float>(exact + error * drift_of(argument));
    return static_cast<double>(rounded) == exact ? rounded : moved;
}

// The distance of f32 values at that magnitude.
[[gnu::always_inline]] inline double ulp_of(double exact) { return bits_as<double>(bits_as<std::uint64_t>(exact) & 0x7ffull << 52) * 0x1p-23; }

struct ApproximateReciprocal {
    float operator()(float a) const {
        const double exact = 1.0 / static_cast<double>(a);
        return off_by(exact, a, ulp_of(exact) * kReciprocalError);
    }
};
struct ApproximateSquareRoot {
    float operator()(float a) const {
        const double exact = __builtin_sqrt(static_cast<double>(a));
        return off_by(exact, a, exact * kSquareRootError);
    }
};
struct ReciprocalSquareRoot {
    float operator()(float a) const {
        const double exact = 1.0 / __builtin_sqrt(static_cast<double>(a));
        return off_by(exact, a, exact * kReciprocalSquareRootError);
    }
};
struct PowerOfTwo {
    float operator()(float a) const {
        const double exact = exp2_of(a);
        return a == a ? off_by(exact, a, exact * kPowerError) : a;
    }
};
struct Logarithm {
    float operator()(float a) const {
        const double exact = log2_of(a > 0 && a < kInfinity ? a : 1.0f);
        const double magnitude = __builtin_fabs(exact);
        const float finite = off_by(exact, a, (magnitude < 1.0 ? 1.0 : magnitude) * kLogarithmError);
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
    const float value = off_by(sine_of_turns(part, quarter), a, kSineError);
    return __builtin_fabsf(a) < kInfinity ? value : kNotANumber;
}
struct Sine {
    float operator()(float a) const { return sine_by_unit(a, 0); }
};
struct Cosine {
    float operator()(float a) const { return sine_by_unit(a, 1); }
};
struct HyperbolicTangent {
    float operator()(float a) const {
        const double exact = tanh_of(a);
        const float value = off_by(exact, a, exact * kTangentError);
        return __builtin_fabsf(value) > 1.0f ? __builtin_copysignf(1.0f, value) : value;
    }
};

struct FullRangeDivide {
    float operator()(float a, float b) const {
        const double exact = static_cast<double>(a) / static_cast<double>(b);
        return off_by(exact, b, ulp_of(exact) * kDivisionError);
    }
};
// .approx is a product with the reciprocal, which is 0 beyond 2^126; .full scales first.
struct ApproximateDivide {
    float operator()(float a, float b) const {
        const bool beyond = __builtin_fabsf(b) > 0x1p126f && __builtin_fabsf(b) < kInfinity;
        return FullRangeDivide()(a, beyond ? __builtin_copysignf(kInfinity, b) : b);
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
            return form.modifiers.approximation == Approximation::full ? find_unit<FullRangeDivide, 2>(form) : find_unit<ApproximateDivide, 2>(form);
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
