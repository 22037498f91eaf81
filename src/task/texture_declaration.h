#pragma once
// An argument that is a texture object (cudaTextureObject_t): texels of the argument's type, read through a filter; or a surface object
// (cudaSurfaceObject_t): texels read and written by their place.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/texture.h"
#include "task/expression.h"
#include "task/scalar_type.h"

namespace optiml::task {

struct TextureDeclaration {
    TextureShape shape = TextureShape::two_d;
    bool is_surface = false;  // then of one level, and the sampling says nothing
    std::uint32_t channels = 1;
    // Texels along x, y and z as far as the shape has them (cubes: along an edge), then layers (cube_layered: cubes).
    std::vector<Expression> extent;
    std::uint32_t levels = 1;
    TextureSampling sampling;
};

// How many numbers `extent` holds for a shape.
std::size_t extents_of(TextureShape shape);

// Channels of all texels of all levels: the elements of the argument's fill.
Expression elements_of(const TextureDeclaration& texture);

// nullopt: textures cannot hold this type.
std::optional<ChannelType> channel_of(ScalarType type);

// At given sizes. name: the argument's. Errors (user): an extent of 0, or beyond what devices make.
Result<TextureDescription> description_of(const TextureDeclaration& texture, ScalarType type, std::string_view name, const Sizes& sizes);

}  // namespace optiml::task
