// set, testp, and setp of 16-bit formats.

#include "emulator/arithmetic/vector/find.h"
#include "emulator/arithmetic/vector/tests.h"

namespace optiml::emulator::OPTIML_LEVEL {
namespace {

using ptx::Opcode;
using ptx::Type;

// What stands for true in the destination: 1.0 of a float type, all ones of an integer type.
std::uint32_t true_value(Type type) {
    switch (type) {
        case Type::f32: return bits_as<std::uint32_t>(1.0f);
        case Type::f16: case Type::f16x2: return HalfFormat::one;
        case Type::bf16: case Type::bf16x2: return BfloatFormat::one;
        case Type::u16: case Type::s16: return 0xffff;
        default: return ~0u;
    }
}

template <class Test, class T>
void set_lanes(const LaneOperands& operands, LaneMask active) {
    const LaneMask holds = combined(operands, test_lanes<Test, T>(operands));
    const std::uint32_t value = true_value(operands.modifiers->type);
    Destination<std::uint32_t> destination(operands.destinations[0], active);
    std::uint32_t* out = destination.words();
    OPTIML_INDEPENDENT_LANES
    for (int lane = 0; lane < kLanes; ++lane) out[lane] = spread<std::uint32_t>(holds, lane) & value;
    destination.finish();
}

template <class Format>
void set_pairs(const LaneOperands& operands, LaneMask active) {
    const LaneMask low = combined(operands, test_lanes<AnyHalfTest<Format, false>, std::uint32_t>(operands));
    const LaneMask high = combined(operands, test_lanes<AnyHalfTest<Format, true>, std::uint32_t>(operands));
    const std::uint32_t value = true_value(operands.modifiers->type) & 0xffff;
    Destination<std::uint32_t> destination(operands.destinations[0], active);
    std::uint32_t* out = destination.words();
    OPTIML_INDEPENDENT_LANES
    for (int lane = 0; lane < kLanes; ++lane)
        out[lane] = (spread<std::uint32_t>(low, lane) & value) | (spread<std::uint32_t>(high, lane) & value << 16);
    destination.finish();
}

LaneFunction find_set(Type type) {
    using enum Type;
    switch (type) {
        case s16: return set_lanes<AnyTest, std::int16_t>;
        case u16: case b16: return set_lanes<AnyTest, std::uint16_t>;
        case s32: return set_lanes<AnyTest, std::int32_t>;
        case u32: case b32: return set_lanes<AnyTest, std::uint32_t>;
        case s64: return set_lanes<AnyTest, std::int64_t>;
        case u64: case b64: return set_lanes<AnyTest, std::uint64_t>;
        case f32: return set_lanes<AnyTest, float>;
        case f64: return set_lanes<AnyTest, double>;
        case f16: return set_lanes<AnyHalfTest<HalfFormat, false>, std::uint32_t>;
        case bf16: return set_lanes<AnyHalfTest<BfloatFormat, false>, std::uint32_t>;
        case f16x2: return set_pairs<HalfFormat>;
        case bf16x2: return set_pairs<BfloatFormat>;
        default: return nullptr;
    }
}

// setp of one 16-bit value: p and its opposite q; of two: p for the lower, q for the upper one.
template <class Format>
void set_half_predicates(const LaneOperands& operands, LaneMask active) {
    const LaneMask holds = test_lanes<AnyHalfTest<Format, false>, std::uint32_t>(operands);
    write_predicate(operands.destinations[0], combined(operands, holds), active);
    if (operands.destination_count > 1) write_predicate(operands.destinations[1], combined(operands, ~holds), active);
}
template <class Format>
void set_pair_predicates(const LaneOperands& operands, LaneMask active) {
    const LaneMask low = combined(operands, test_lanes<AnyHalfTest<Format, false>, std::uint32_t>(operands));
    const LaneMask high = combined(operands, test_lanes<AnyHalfTest<Format, true>, std::uint32_t>(operands));
    write_predicate(operands.destinations[0], low, active);
    if (operands.destination_count > 1) write_predicate(operands.destinations[1], high, active);
}

LaneFunction find_half_predicates(Type type) {
    switch (type) {
        case Type::f16: return set_half_predicates<HalfFormat>;
        case Type::bf16: return set_half_predicates<BfloatFormat>;
        case Type::f16x2: return set_pair_predicates<HalfFormat>;
        case Type::bf16x2: return set_pair_predicates<BfloatFormat>;
        default: return nullptr;
    }
}

// Zeros count as normal numbers.
template <class T>
void test_property(const LaneOperands& operands, LaneMask active) {
    using W = Word<T>;
    constexpr W infinity = FloatLayout<T>::exponent, least_normal = infinity & (~infinity + 1);
    const W* source = source_words<T>(operands, 0);
    const auto property = operands.modifiers->test;
    LaneMask holds = 0;
    for (int lane = 0; lane < kLanes; ++lane) {
        const W magnitude = source[lane] & ~FloatLayout<T>::sign;
        bool is = false;
        switch (property) {
            case ptx::TestProperty::finite: is = magnitude < infinity; break;
            case ptx::TestProperty::infinite: is = magnitude == infinity; break;
            case ptx::TestProperty::number: is = magnitude <= infinity; break;
            case ptx::TestProperty::notanumber: is = magnitude > infinity; break;
            case ptx::TestProperty::normal: is = (magnitude >= least_normal || magnitude == 0) && magnitude < infinity; break;
            case ptx::TestProperty::subnormal: is = magnitude < least_normal && magnitude != 0; break;
            default: break;
        }
        holds |= static_cast<LaneMask>(is) << lane;
    }
    write_predicate(operands.destinations[0], holds, active);
}

}  // namespace

LaneFunction find_set(const Form& form) {
    switch (form.opcode) {
        case Opcode::set: return find_set(form.modifiers.source_type);
        case Opcode::setp: return find_half_predicates(form.type);
        case Opcode::testp: return form.type == Type::f64 ? test_property<double> : test_property<float>;
        default: return nullptr;
    }
}

}  // namespace optiml::emulator::OPTIML_LEVEL
