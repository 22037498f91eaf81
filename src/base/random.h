#pragma once
// Counter-based random numbers: element i of stream s can be made on demand, in any order, on any machine.
// The mixing function is SplitMix64's finaliser (Steele, Lea, Flood 2014); the recorded calibration set uses the same.

#include <cstdint>

namespace optiml {

// 32 random bits for element i of stream s.
constexpr std::uint32_t random_bits(std::uint64_t stream, std::uint64_t element) {
    std::uint64_t z = element + 0x9E3779B97F4A7C15ull * (stream + 1);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return static_cast<std::uint32_t>((z ^ (z >> 31)) >> 32);
}

// Uniform in [0, 1) with 24 bits, exact in f32.
constexpr double random_unit(std::uint64_t stream, std::uint64_t element) {
    return static_cast<double>(random_bits(stream, element) >> 8) / 16777216.0;
}

// 64 bits that nobody else can know: from the operating system's entropy.
std::uint64_t system_secret();

}  // namespace optiml
