// Shadows of integer operations on the bits of a float: and or xor add sub that change its sign and exponent only, as frexp, ldexp,
// fabs and the exponent arithmetic of library functions do. Then the shadow is scaled like the bits; else it is dropped.

#include "emulator/arithmetic/vector/shadow.h"

namespace optiml::emulator::OPTIML_LEVEL {
namespace {

using ptx::Opcode;

// Where sign and exponent stand in a word: an f32, the upper half of an f64, an f64.
struct Field {
    int fraction_bits;
    int exponent_bits;
    // Halves of an f64 are never read as a number, so that one without an exponent (and with the fraction's mask) may wait for its
    // next one; it counts as this exponent meanwhile.
    int of_zero;

    std::uint64_t fraction() const { return (std::uint64_t{1} << fraction_bits) - 1; }
    std::uint64_t exponent(std::uint64_t word) const { return word >> fraction_bits & ((std::uint64_t{1} << exponent_bits) - 1); }
    bool sign(std::uint64_t word) const { return (word >> (fraction_bits + exponent_bits) & 1) != 0; }
    std::uint64_t largest() const { return (std::uint64_t{1} << exponent_bits) - 1; }
};
constexpr Field kSingle{23, 8, 0}, kUpperHalf{20, 11, 64}, kDouble{52, 11, 0};

// Whether the operation leaves the fraction of one source as it is, by the other source.
bool keeps_fraction(Opcode opcode, const Field& field, std::uint64_t other) {
    const std::uint64_t bits = other & field.fraction();
    return opcode == Opcode::and_ ? bits == field.fraction() : bits == 0;
}

// The power of two between two words, if both are normal numbers.
bool find_scale(const Field& field, std::uint64_t before, std::uint64_t after, double& scale) {
    auto from = static_cast<int>(field.exponent(before)), to = static_cast<int>(field.exponent(after));
    if (from == static_cast<int>(field.largest()) || to == static_cast<int>(field.largest())) return false;
    if (from == 0) from = field.of_zero;
    if (to == 0) to = field.of_zero;
    if (from == 0 || to == 0) return false;
    scale = __builtin_ldexp(field.sign(before) != field.sign(after) ? -1.0 : 1.0, to - from);
    return true;
}

template <class W, Opcode opcode>
void scaled_like_bits(const LaneOperands& operands, const ShadowOperands& shadows, LaneMask active) {
    const ShadowRow& to = shadows.destinations[0];
    const LaneMask any = (*shadows.sources[0].valid | *shadows.sources[1].valid) & active;
    *to.valid &= ~(active & ~any);
    for_lanes(any, [&](int lane) {
        const W words[] = {static_cast<const W*>(operands.sources[0].data)[lane], static_cast<const W*>(operands.sources[1].data)[lane]};
        const W result = static_cast<const W*>(operands.destinations[0].data)[lane];
        drop_shadow(to, lane);
        for (int source = 0; source < (opcode == Opcode::sub ? 1 : 2); ++source) {  // b of a - b is no float
            const ShadowRow& from = shadows.sources[source];
            const bool is_half = sizeof(W) == 4 && is_half_of_double(from, lane);
            const Field& field = sizeof(W) == 8 ? kDouble : is_half ? kUpperHalf : kSingle;
            double scale = 0;
            if (!has_shadow(from, lane) || !keeps_fraction(opcode, field, words[1 - source])) continue;
            if (!find_scale(field, words[source], result, scale)) continue;
            const double low = from.low[lane] == kZeroLowOfHalf ? kZeroLowOfHalf : from.low[lane] * scale;
            return set_shadow(to, lane, from.high[lane] * scale, low);
        }
    });
}

template <Opcode opcode>
ShadowFunction find_of_width(ptx::Type type) {
    switch (row_width(type)) {
        case 32: return scaled_like_bits<std::uint32_t, opcode>;
        case 64: return scaled_like_bits<std::uint64_t, opcode>;
        default: return nullptr;
    }
}

}  // namespace

ShadowFunction find_bits_shadow(const Form& form) {
    using enum ptx::Type;
    const bool is_integer = form.type == b32 || form.type == b64 || form.type == s32 || form.type == u32 || form.type == s64 || form.type == u64;
    if (!is_integer || form.modifiers.carry_out || form.modifiers.saturate) return nullptr;
    switch (form.opcode) {
        case Opcode::and_: return find_of_width<Opcode::and_>(form.type);
        case Opcode::or_: return find_of_width<Opcode::or_>(form.type);
        case Opcode::xor_: return find_of_width<Opcode::xor_>(form.type);
        case Opcode::add: return find_of_width<Opcode::add>(form.type);
        case Opcode::sub: return find_of_width<Opcode::sub>(form.type);
        default: return nullptr;
    }
}

}  // namespace optiml::emulator::OPTIML_LEVEL
