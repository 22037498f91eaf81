#pragma once
// f16 and bf16 values as f32 and back, in operations that vectorise. An f32 holds every value of both.

#include <cstdint>

#include "emulator/arithmetic/vector/float_operations.h"
#include "emulator/arithmetic/vector/values.h"

namespace optiml::emulator::OPTIML_LEVEL {

constexpr std::uint32_t kSign32 = 0x80000000u, kInfinity32 = 0x7f800000u;
constexpr std::uint16_t kCanonicalNan16 = 0x7fff;

struct HalfFormat {
    static constexpr std::uint16_t one = 0x3c00, infinity = 0x7c00;
    static constexpr std::uint32_t tiny = 0x387ff000;  // f32 magnitudes below it round to less than the least normal value

    // Without f32 subnormals on the way, which cost an assist of the CPU.
    [[gnu::always_inline]] static float widen(std::uint32_t bits) {
        const std::uint32_t magnitude = bits & 0x7fff, rebased = (magnitude << 13) + (112u << 23);
        const auto subnormal = bits_as<std::uint32_t>(static_cast<float>(static_cast<std::int32_t>(magnitude)) * 0x1p-24f);
        const std::uint32_t finite = magnitude < 0x400 ? subnormal : rebased;
        const std::uint32_t special = magnitude << 13 | kInfinity32;
        return bits_as<float>((magnitude < infinity ? finite : special) | (bits & 0x8000) << 16);
    }
    // To nearest. Adding 0.5 puts a subnormal's last bit at the last bit of the sum.
    [[gnu::always_inline]] static std::uint32_t narrow(float value) {
        const std::uint32_t bits = bits_as<std::uint32_t>(value), magnitude = bits & ~kSign32;
        const std::uint32_t subnormal = bits_as<std::uint32_t>(bits_as<float>(magnitude) + 0.5f) - 0x3f000000u;
        const std::uint32_t normal = (magnitude - (112u << 23) + 0xfff + (magnitude >> 13 & 1)) >> 13;
        const std::uint32_t finite = magnitude < 0x38800000u ? subnormal : normal;
        const std::uint32_t result = (magnitude < 0x47800000u ? finite : infinity) | (bits >> 16 & 0x8000);
        return magnitude > kInfinity32 ? kCanonicalNan16 : result;
    }
};

struct BfloatFormat {
    static constexpr std::uint16_t one = 0x3f80, infinity = 0x7f80;
    static constexpr std::uint32_t tiny = 0x007fc000;

    [[gnu::always_inline]] static float widen(std::uint32_t bits) { return bits_as<float>(bits << 16); }
    [[gnu::always_inline]] static std::uint32_t narrow(float value) {
        const std::uint32_t bits = bits_as<std::uint32_t>(value);
        const std::uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
        return (bits & ~kSign32) > kInfinity32 ? kCanonicalNan16 : rounded;
    }
};

// .ftz of the 16-bit formats: of sources, and of results with the rounding. Without it the limits are such that nothing changes.
template <class Format>
struct HalfFlush {
    explicit HalfFlush(bool flush) : nonzero(flush ? Format::infinity : 0xffff), tiny(flush ? Format::tiny : 0) {}
    [[gnu::always_inline]] std::uint32_t source(std::uint32_t bits) const { return (bits & nonzero) != 0 ? bits : bits & 0x8000; }
    [[gnu::always_inline]] std::uint32_t narrow(float value) const {
        const auto bits = bits_as<std::uint32_t>(value);
        const std::uint32_t kept = (bits & ~kSign32) < tiny ? 0x8000 : 0xffff;  // of the result: its sign or all of it
        return Format::narrow(value) & kept;
    }
    std::uint32_t nonzero, tiny;
};

}  // namespace optiml::emulator::OPTIML_LEVEL
