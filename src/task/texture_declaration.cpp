#include "task/texture_declaration.h"

#include <array>

#include <fmt/format.h>

namespace optiml::task {
namespace {

constexpr std::int64_t kFacesOfCube = 6;

// Most texels along each axis, and most layers: CUDA C++ Programming Guide, technical specifications by compute capability (8.0 to 9.0).
std::array<std::int64_t, 3> limits_of(TextureShape shape) {
    switch (shape) {
        case TextureShape::linear: return {std::int64_t{1} << 28, 1, 1};
        case TextureShape::one_d: return {131072, 1, 1};
        case TextureShape::two_d: return {131072, 65536, 1};
        case TextureShape::three_d: return {16384, 16384, 16384};
        case TextureShape::one_d_layered: return {32768, 2048, 1};
        case TextureShape::two_d_layered: return {32768, 32768, 2048};
        case TextureShape::cube: return {32768, 1, 1};
        case TextureShape::cube_layered: return {32768, 2046 / kFacesOfCube, 1};
    }
    return {};
}

Expression halved(const Expression& extent, std::uint32_t level) {
    if (level == 0) return extent;
    const auto result = Expression::parse(fmt::format("max(1, ({}) / {})", extent.canonical_text(), std::int64_t{1} << level), extent.where());
    return result ? *result : extent;
}

Expression texels_of_level(const TextureDeclaration& texture, std::uint32_t level) {
    const std::size_t axes = is_cube(texture.shape) ? 1 : coordinates_of(texture.shape);
    Expression texels(1);
    for (std::size_t axis = 0; axis < axes; ++axis) texels = texels * halved(texture.extent[axis], level);
    if (is_cube(texture.shape)) texels = texels * halved(texture.extent[0], level) * Expression(kFacesOfCube);
    return is_layered(texture.shape) ? texels * texture.extent.back() : texels;
}

}  // namespace

std::size_t extents_of(TextureShape shape) { return (is_cube(shape) ? 1 : coordinates_of(shape)) + (is_layered(shape) ? 1 : 0); }

Expression elements_of(const TextureDeclaration& texture) {
    Expression texels = texels_of_level(texture, 0);
    for (std::uint32_t level = 1; level < texture.levels; ++level) texels = texels + texels_of_level(texture, level);
    return texels * Expression(texture.channels);
}

std::optional<ChannelType> channel_of(ScalarType type) {
    switch (type) {
        case ScalarType::i8: return ChannelType::i8;
        case ScalarType::u8: return ChannelType::u8;
        case ScalarType::i16: return ChannelType::i16;
        case ScalarType::u16: return ChannelType::u16;
        case ScalarType::i32: return ChannelType::i32;
        case ScalarType::u32: return ChannelType::u32;
        case ScalarType::f16: return ChannelType::f16;
        case ScalarType::f32: return ChannelType::f32;
        default: return std::nullopt;
    }
}

Result<TextureDescription> description_of(const TextureDeclaration& texture, ScalarType type, std::string_view name, const Sizes& sizes) {
    TextureDescription description;
    description.sampling = texture.sampling;
    TextureLayout& layout = description.layout;
    layout.shape = texture.shape;
    layout.channel = channel_of(type).value_or(ChannelType::f32);
    layout.channels = texture.channels;
    layout.levels = texture.levels;
    std::array<std::uint64_t, 3> extents{1, 1, 1};
    for (std::size_t axis = 0; axis < texture.extent.size(); ++axis) {
        const Expression& expression = texture.extent[axis];
        const auto value = expression.evaluate(sizes);
        if (!value) return tl::make_unexpected(value.error());
        const std::int64_t most = limits_of(texture.shape)[axis];
        if (*value < 1 || *value > most) {
            return user_error(fmt::format("the texture {} has the extent {}: \"{}\"", name, *value, expression.text()), expression.where(),
                              fmt::format("A {} texture has 1 to {} here: give the size a minimum or a maximum.", name_of(texture.shape), most));
        }
        extents[axis] = static_cast<std::uint64_t>(*value);
    }
    const std::uint64_t layers = is_layered(texture.shape) ? extents[texture.extent.size() - 1] : 1;
    const std::uint32_t axes = is_cube(texture.shape) ? 1 : coordinates_of(texture.shape);
    layout.width = extents[0];
    layout.height = axes >= 2 ? extents[1] : is_cube(texture.shape) ? extents[0] : 1;
    layout.depth = axes >= 3 ? extents[2] : 1;
    layout.layers = is_cube(texture.shape) ? layers * kFacesOfCube : layers;
    return description;
}

}  // namespace optiml::task
