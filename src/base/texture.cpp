#include "base/texture.h"

namespace optiml {

std::uint64_t TextureLayout::first_texel_of(std::uint32_t level) const {
    std::uint64_t texels = 0;
    for (std::uint32_t before = 0; before < level; ++before) texels += texels_of(before);
    return texels;
}

std::uint32_t TextureLayout::texel_bytes() const { return bytes_of(channel) * channels; }

std::uint32_t coordinates_of(TextureShape shape) {
    switch (shape) {
        case TextureShape::linear:
        case TextureShape::one_d:
        case TextureShape::one_d_layered: return 1;
        case TextureShape::two_d:
        case TextureShape::two_d_layered: return 2;
        case TextureShape::three_d:
        case TextureShape::cube:
        case TextureShape::cube_layered: return 3;
    }
    return 0;
}

bool is_layered(TextureShape shape) {
    return shape == TextureShape::one_d_layered || shape == TextureShape::two_d_layered || shape == TextureShape::cube_layered;
}

bool is_cube(TextureShape shape) { return shape == TextureShape::cube || shape == TextureShape::cube_layered; }

std::string_view name_of(TextureShape shape) {
    constexpr std::string_view names[] = {"linear", "1d", "2d", "3d", "1d_layered", "2d_layered", "cube", "cube_layered"};
    return names[static_cast<std::size_t>(shape)];
}

std::string_view name_of(TextureFilter filter) { return filter == TextureFilter::point ? "point" : "linear"; }

std::string_view name_of(TextureAddressMode mode) {
    constexpr std::string_view names[] = {"clamp", "wrap", "mirror", "border"};
    return names[static_cast<std::size_t>(mode)];
}

std::uint32_t bytes_of(ChannelType channel) {
    switch (channel) {
        case ChannelType::i8:
        case ChannelType::u8: return 1;
        case ChannelType::i16:
        case ChannelType::u16:
        case ChannelType::f16: return 2;
        default: return 4;
    }
}

bool is_float(ChannelType channel) { return channel == ChannelType::f16 || channel == ChannelType::f32; }

}  // namespace optiml
