// cvt.

#include <limits>

#include "emulator/arithmetic/vector/apply.h"
#include "emulator/arithmetic/vector/find.h"
#include "emulator/arithmetic/vector/float_operations.h"

namespace optiml::emulator::OPTIML_LEVEL {
namespace {

using ptx::Rounding;
using ptx::Type;

template <class To>
struct Cast {
    template <class From> To operator()(From value) const { return static_cast<To>(value); }
};
template <class To>
struct CastFloat {
    template <class From> To operator()(From value) const { return static_cast<To>(value); }
};

// Towards zero, beyond the range to its end, NaN to 0.
template <class To>
struct Truncate {
    To operator()(float value) const {
        constexpr double low = std::numeric_limits<To>::min(), high = std::numeric_limits<To>::max();
        const double wide = value == value ? value : 0.0;
        const double clamped = wide < low ? low : wide > high ? high : wide;
        if constexpr (std::is_signed_v<To>) return static_cast<To>(clamped);
        else return static_cast<To>(static_cast<std::int64_t>(clamped));
    }
};

}  // namespace

LaneFunction find_convert(const Form& form) {
    if (form.opcode != ptx::Opcode::cvt) return nullptr;
    using enum Type;
    const auto& modifiers = form.modifiers;
    if (modifiers.saturate || modifiers.relu || modifiers.ftz) return nullptr;
    const Type to = form.type, from = modifiers.source_type;
    const auto is = [&](Type wanted_to, Type wanted_from) { return to == wanted_to && from == wanted_from; };
    const bool nearest = modifiers.rounding == Rounding::none || modifiers.rounding == Rounding::rn;
    if (is(s64, s32)) return map_lanes<Cast<std::int64_t>, std::int64_t, std::int32_t>;
    if (is(u64, u32) || is(s64, u32)) return map_lanes<Cast<std::uint64_t>, std::uint64_t, std::uint32_t>;
    if (is(u32, u64) || is(s32, s64) || is(s32, u64) || is(u32, s64)) return map_lanes<Cast<std::uint32_t>, std::uint32_t, std::uint64_t>;
    if (is(u32, u16)) return map_lanes<Cast<std::uint32_t>, std::uint32_t, std::uint16_t>;
    if (is(s32, s16)) return map_lanes<Cast<std::int32_t>, std::int32_t, std::int16_t>;
    if (is(u16, u32)) return map_lanes<Cast<std::uint16_t>, std::uint16_t, std::uint32_t>;
    if (is(f64, f32)) return map_lanes<CastFloat<double>, double, float>;
    if (is(f64, s32)) return map_lanes<Cast<double>, double, std::int32_t>;
    if (is(f64, u32)) return map_lanes<Cast<double>, double, std::uint32_t>;
    if (is(s32, f32) && modifiers.rounding == Rounding::rzi) return map_lanes<Truncate<std::int32_t>, std::int32_t, float>;
    if (is(u32, f32) && modifiers.rounding == Rounding::rzi) return map_lanes<Truncate<std::uint32_t>, std::uint32_t, float>;
    if (nearest) {
        if (is(f32, s32)) return map_lanes<Cast<float>, float, std::int32_t>;
        if (is(f32, u32)) return map_lanes<Cast<float>, float, std::uint32_t>;
        if (is(f32, f64)) return map_lanes<CastFloat<float>, float, double>;
        if (is(f64, s64)) return map_lanes<Cast<double>, double, std::int64_t>;
    }
    return nullptr;
}

}  // namespace optiml::emulator::OPTIML_LEVEL
