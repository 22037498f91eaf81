#pragma once
// Which texels a fetch reads and how they are weighted: the appendix "Texture Fetching" of the CUDA C++ Programming Guide.

#include <array>
#include <cstdint>

#include "base/texture.h"

namespace optiml::emulator {

struct TextureCoordinates {
    std::array<double, 3> position{};  // along x, y and z; of a cube: the direction
    std::int64_t layer = 0;            // of layered shapes; cubes count whole cubes
    double level = 0;                  // of detail
    bool texel_indices = false;        // position holds whole texels: neither scaled nor filtered
};

// One texel of a fetch.
struct Tap {
    std::array<std::uint64_t, 3> texel{};
    std::uint64_t layer = 0;
    std::uint32_t level = 0;
    double weight = 0;
    bool outside = false;  // beyond the border: 0, and nothing is read

    // Its number among the texels of the layout.
    std::uint64_t index_in(const TextureLayout& layout) const;
};

constexpr std::uint32_t kMaxTaps = 16;  // two levels of eight

struct Footprint {
    std::array<Tap, kMaxTaps> taps;  // within a level: x fastest, then y, then z
    std::uint32_t count = 0;

    const Tap* begin() const { return taps.data(); }
    const Tap* end() const { return taps.data() + count; }
};

// Coordinates that are not a number count as 0; levels and layers are clamped to those that exist.
Footprint footprint_of(const TextureDescription& texture, const TextureCoordinates& coordinates);

// The 2 x 2 texels that a linear filter would read at the base level.
Footprint gathered(const TextureDescription& texture, const TextureCoordinates& coordinates);

}  // namespace optiml::emulator
