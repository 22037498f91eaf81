#pragma once
// For tests: the same source values for every instruction form, here and on a GPU. Half are pairs of special values, half random.

#include <bit>
#include <cstdint>
#include <vector>

namespace optiml::emulator {

constexpr std::uint32_t kInputCount = 2048;  // a multiple of 32: whole warps

// The kinds of source values, by the letters of lane_forms.h.
enum class InputKind : char {
    int16 = 's', int32 = 'i', int64 = 'l', f32 = 'f', f64 = 'd', f16 = 'h', bf16 = 'b', f16x2 = 'H', bf16x2 = 'B',
    f32_near_integers = 'g', f64_near_integers = 'e',
    tiny_f32 = 'y', tiny_f16 = 'z', tiny_f64 = 'x', tiny_quotient = 'q', tiny_reciprocal = 'v',
    amount = 'a', selector = 'm', lane = 'n', offset = 'o', predicate = 'p', carry = 'c'
};

namespace inputs {

inline std::uint64_t scramble(std::uint64_t value) {
    value = (value + 0x9e3779b97f4a7c15ull) * 0xbf58476d1ce4e5b9ull;
    value = (value ^ value >> 29) * 0x94d049bb133111ebull;
    return value ^ value >> 32;
}

inline std::vector<std::uint64_t> integers(int bits) {
    const std::uint64_t top = std::uint64_t{1} << (bits - 1), all = top | (top - 1);
    return {0, 1, 2, 3, 5, 7, 10, 0x1f, 0x20, 0x7f, 0x80, 0xff, 0x100, 1000, 0x7fff & all, 0x8000 & all, all, all - 1, all - 2, all - 9,
            top, top + 1, top - 1, top >> 1, all / 3, all / 3 * 2, all & 0xff00ff00ff00ff00ull, all & 0x123456789abcdef0ull,
            all & 0xfedcba9876543210ull, all / 7, top | 0x55, all >> 3};
}

// Special values of a binary format: zeros, subnormals, around 1, around powers of two, the largest, infinities and NaNs.
inline std::vector<std::uint64_t> floats(int mantissa, int exponent) {
    const std::uint64_t one_bit = std::uint64_t{1} << mantissa, fraction = one_bit - 1;
    const std::uint64_t bias = (std::uint64_t{1} << (exponent - 1)) - 1;
    const std::uint64_t infinity = ((std::uint64_t{1} << exponent) - 1) << mantissa;
    const std::uint64_t sign = std::uint64_t{1} << (mantissa + exponent);
    const std::uint64_t one = bias << mantissa, half = (bias - 1) << mantissa;
    return {0, sign, 1, sign | 2, fraction, sign | fraction, one_bit, sign | one_bit, one_bit + 1, one, sign | one, one + 1, one - 1,
            sign | (one + 1), half, sign | half, one + one_bit / 2, one + one_bit, sign | (one + one_bit + one_bit / 2),
            ((bias + mantissa / 2) << mantissa) | 3, ((bias - mantissa) << mantissa) | 1, ((bias + mantissa) << mantissa) | 1,
            infinity - 1, sign | (infinity - 1), infinity, sign | infinity, infinity | one_bit / 2, sign | infinity | one_bit / 2 | 5,
            infinity | 1, (infinity >> 1 & ~fraction) | fraction / 3, ((2 * bias - 1) << mantissa) | 7, one_bit * 3 + 5};
}

// Exponents mostly close to 0, so that sums cancel and products stay in range.
inline std::uint64_t random_float(std::uint64_t random, int mantissa, int exponent) {
    const std::uint64_t all = (std::uint64_t{2} << (mantissa + exponent)) - 1;
    if (random % 4 == 0) return scramble(random) & all;
    const std::uint64_t bias = (std::uint64_t{1} << (exponent - 1)) - 1;
    const std::uint64_t spread = random % 4 == 1 ? 3 : random % 4 == 2 ? 12 : 60;
    const std::uint64_t top = 2 * bias - 1;
    std::uint64_t power = bias + random / 4 % (2 * spread + 1);
    power = power < spread + 1 ? 1 : power - spread;
    if (power > top) power = top;
    const std::uint64_t low = scramble(random);
    return ((low >> 63) << (mantissa + exponent)) | (power << mantissa) | (low & ((std::uint64_t{1} << mantissa) - 1));
}

inline std::uint64_t near_integer_f64(std::uint64_t random) {
    const int power = static_cast<int>(random % 70);
    double value = static_cast<double>(scramble(random) % 4096) / 4096 + 1;
    value = std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) + (static_cast<std::uint64_t>(power) << 52)) / 8;
    switch (random / 70 % 4) {
        case 0: value = power < 50 ? static_cast<double>(static_cast<std::int64_t>(value)) : value; break;
        case 1: value = power < 50 ? static_cast<double>(static_cast<std::int64_t>(value)) + 0.5 : value; break;
        default: break;
    }
    return std::bit_cast<std::uint64_t>(random / 300 % 2 == 0 ? value : -value);
}

// Whose products, sums, quotients or reciprocals lie at the least normal number, give or take a few units in the last place.
inline float least_normal_over(float value) { return 0x1p-126f / value; }

inline std::uint64_t tiny_f32(std::uint32_t index, std::uint32_t number) {
    const std::uint64_t random = scramble(number), other = scramble(random + index);
    const std::uint64_t sign = other >> 50 << 31 & 0x80000000u;
    constexpr std::uint32_t addends[] = {0, 0, 1, 0x007fffff, 0x00800000, 0x00800000, 0x00800001, 0x01000000};
    if (index == 2) return addends[number / 2 % 8] | sign;
    const auto fraction = static_cast<std::uint32_t>(random & 0x7fffff);
    if (number % 2 != 0) return (40 + other % 30) << 23 | (other >> 8 & 0x7fffff) | sign;
    const std::uint32_t first = 0x3f000000u | fraction;
    if (index == 0) return first | sign;
    return (std::bit_cast<std::uint32_t>(least_normal_over(std::bit_cast<float>(first))) + other % 5 - 2) | sign;
}

inline std::uint64_t tiny_f16(std::uint32_t index, std::uint32_t number) {
    const std::uint64_t random = scramble(number), other = scramble(random + index);
    const std::uint64_t sign = other >> 50 << 15 & 0x8000;
    constexpr std::uint32_t addends[] = {0, 0, 1, 0x3ff, 0x400, 0x400, 0x401, 0x800};
    if (index == 2) return addends[number / 2 % 8] | sign;
    if (number % 2 != 0) return (1 + other % 8) << 10 | (other >> 8 & 0x3ff) | sign;
    // (1024 + f) / 2048 times 2^-14 * 2048 / (1024 + f), whose exponent is 0 or -1 above 2^-14.
    const std::uint64_t fraction = random & 0x3ff;
    if (index == 0) return 0x3800 | fraction | sign;
    const std::uint64_t quotient = 2048 * 1024 / (1024 + fraction) - 1024;
    return (0x400 + quotient + other % 3 - 1) | sign;
}

inline std::uint64_t tiny_f64(std::uint32_t number) {
    const std::uint64_t random = scramble(number);
    const std::uint64_t distance = std::uint64_t{1} << random % 36, least = 0x3810000000000000ull;
    return (random >> 40 & 1) << 63 | (number % 2 == 0 ? least - distance * (1 + random / 64 % 3) : least + distance);
}

inline std::uint64_t tiny_quotient(std::uint32_t index, std::uint32_t number) {
    const std::uint64_t random = scramble(number), divisor = 0x3f800000u | (random & 0x7fffff);
    if (index == 1) return divisor;
    const float dividend = 0x1p-126f * std::bit_cast<float>(static_cast<std::uint32_t>(divisor));
    return (std::bit_cast<std::uint32_t>(dividend) + random / 0x1000000 % 6 - 3) | (random >> 60 << 31 & 0x80000000u);
}

inline std::uint64_t tiny_reciprocal(std::uint32_t number) {
    const std::uint64_t random = scramble(number);
    return (0x7e800000u + (number % 2 == 0 ? random % 8 : random % 4096)) | (random >> 60 << 31 & 0x80000000u);
}

inline std::vector<std::uint64_t> special_values(InputKind kind) {
    switch (kind) {
        case InputKind::int16: return integers(16);
        case InputKind::int32: case InputKind::selector: return integers(32);
        case InputKind::int64: return integers(64);
        case InputKind::f32: return floats(23, 8);
        case InputKind::f64: return floats(52, 11);
        case InputKind::f16: case InputKind::f16x2: return floats(10, 5);
        case InputKind::bf16: case InputKind::bf16x2: return floats(7, 8);
        case InputKind::f32_near_integers: return floats(23, 8);
        case InputKind::f64_near_integers: return floats(52, 11);
        case InputKind::amount: return {0, 1, 2, 3, 7, 8, 15, 16, 17, 24, 30, 31, 32, 33, 48, 63, 64, 65, 100, 127, 128, 255, 256, 257, 511, 0x10000, 0x80000000u, 0xffffffffu, 5, 9, 11, 20};
        case InputKind::lane: return {0, 1, 2, 3, 5, 8, 15, 16, 17, 30, 31};
        case InputKind::offset: return {0, 1, 2, 3, 0xffffffffu, 0xfffffffeu, 4, 0xfffffff0u};
        case InputKind::predicate: case InputKind::carry: return {0, 1, 1};
        default: return {0};
    }
}

inline std::uint64_t random_value(InputKind kind, std::uint64_t random) {
    switch (kind) {
        case InputKind::int16: return random & 0xffff;
        case InputKind::int32: case InputKind::selector: return random % 3 == 0 ? scramble(random) & 0xffffffffu : (random & 0xffffffffu) >> (random >> 40) % 32;
        case InputKind::int64: return random % 3 == 0 ? scramble(random) : scramble(random) >> random % 64;
        case InputKind::f32: return random_float(random, 23, 8);
        case InputKind::f64: return random_float(random, 52, 11);
        case InputKind::f16: return random_float(random, 10, 5);
        case InputKind::bf16: return random_float(random, 7, 8);
        case InputKind::f16x2: return random_float(random, 10, 5) | random_float(scramble(random), 10, 5) << 16;
        case InputKind::bf16x2: return random_float(random, 7, 8) | random_float(scramble(random), 7, 8) << 16;
        case InputKind::f32_near_integers: return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(near_integer_f64(random))));
        case InputKind::f64_near_integers: return near_integer_f64(random);
        case InputKind::amount: return random % 72;
        case InputKind::lane: return random % 32;
        case InputKind::offset: return (random % 9 - 4) & 0xffffffffu;
        case InputKind::predicate: case InputKind::carry: return random & 1;
        default: return 0;
    }
}

}  // namespace inputs

// Value number `number` (below kInputCount) of source `index` (0..3).
inline std::uint64_t input_value(InputKind kind, std::uint32_t index, std::uint32_t number) {
    switch (kind) {
        case InputKind::tiny_f32: return inputs::tiny_f32(index, number);
        case InputKind::tiny_f16: return inputs::tiny_f16(index, number);
        case InputKind::tiny_f64: return inputs::tiny_f64(number);
        case InputKind::tiny_quotient: return inputs::tiny_quotient(index, number);
        case InputKind::tiny_reciprocal: return inputs::tiny_reciprocal(number);
        default: break;
    }
    const std::uint64_t random = inputs::scramble(number * 4ull + index + 1);
    if (number >= kInputCount / 2) return inputs::random_value(kind, random);
    const auto special = inputs::special_values(kind);
    const bool packed = kind == InputKind::f16x2 || kind == InputKind::bf16x2;
    const std::uint64_t size = special.size();
    const std::uint64_t value = special[index == 0 ? number % size : index == 1 ? number / 32 % size : random % size];
    return packed ? value | special[(number * 7 + index * 3) % size] << 16 : value;
}

// All values of one source as the words of a register.
inline std::vector<std::uint64_t> input_values(InputKind kind, std::uint32_t index) {
    std::vector<std::uint64_t> values;
    for (std::uint32_t number = 0; number < kInputCount; ++number) values.push_back(input_value(kind, index, number));
    return values;
}

}  // namespace optiml::emulator
