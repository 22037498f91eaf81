#pragma once
// What the emulator's tests of textures share with those on a card.

#include <numeric>
#include <vector>

#include "base/texture.h"

namespace optiml {

struct Float4 {
    float x = 0, y = 0, z = 0, w = 0;
    bool operator==(const Float4&) const = default;
};

inline TextureDescription described(TextureShape shape, std::uint64_t width, std::uint64_t height = 1, std::uint64_t depth = 1) {
    TextureDescription texture;
    texture.layout.shape = shape;
    texture.layout.width = width;
    texture.layout.height = height;
    texture.layout.depth = depth;
    return texture;
}

inline std::vector<float> counted(std::size_t count) {
    std::vector<float> values(count);
    std::iota(values.begin(), values.end(), 0.0f);
    return values;
}

}  // namespace optiml
