#pragma once
// Texels as values.

#include <array>
#include <cstdint>

#include "base/texture.h"

namespace optiml::emulator {

// Whether fetches give floats; else integers.
bool reads_floats(const TextureDescription& texture);

// The four channels of a texel. Those that its format lacks are 0, the fourth too (measured on an H200).
std::array<double, 4> float_texel(const TextureDescription& texture, const std::uint8_t* bytes);
std::array<std::uint32_t, 4> integer_texel(const TextureDescription& texture, const std::uint8_t* bytes);

}  // namespace optiml::emulator
