#pragma once
// A texture as CUDA knows it: the array of texels behind a texture object, and how fetches read it. Tasks declare textures, the
// emulator fetches from them and a GPU makes them.

#include <array>
#include <cstdint>
#include <string_view>

namespace optiml {

// linear: a plain buffer, read by element index (tex1Dfetch).
enum class TextureShape : std::uint8_t { linear, one_d, two_d, three_d, one_d_layered, two_d_layered, cube, cube_layered };
// How one channel of a texel is stored.
enum class ChannelType : std::uint8_t { i8, u8, i16, u16, i32, u32, f16, f32 };
enum class TextureFilter : std::uint8_t { point, linear };
enum class TextureAddressMode : std::uint8_t { clamp, wrap, mirror, border };

// The texels, as a host holds them: channels of a texel side by side, then along x, y, z or layer (face), and one level of detail
// after the other.
struct TextureLayout {
    TextureShape shape = TextureShape::two_d;
    ChannelType channel = ChannelType::f32;
    std::uint32_t channels = 1;  // 1, 2 or 4
    std::uint64_t width = 1;     // texels of the largest level; height and depth are 1 where the shape has none
    std::uint64_t height = 1;
    std::uint64_t depth = 1;
    std::uint64_t layers = 1;    // faces of cubes are layers: 6 a cube
    std::uint32_t levels = 1;    // of detail, each half as wide, high and deep as the one before

    // Extents of a level, in texels.
    std::uint64_t width_of(std::uint32_t level) const { return halved(width, level); }
    std::uint64_t height_of(std::uint32_t level) const { return halved(height, level); }
    std::uint64_t depth_of(std::uint32_t level) const { return halved(depth, level); }
    std::uint64_t texels_of(std::uint32_t level) const { return width_of(level) * height_of(level) * depth_of(level) * layers; }
    std::uint64_t first_texel_of(std::uint32_t level) const;
    std::uint64_t texels() const { return first_texel_of(levels); }
    std::uint32_t texel_bytes() const;
    std::uint64_t bytes() const { return texels() * texel_bytes(); }

private:
    static std::uint64_t halved(std::uint64_t extent, std::uint32_t level) { return extent >> level > 0 ? extent >> level : 1; }
};

// What cudaTextureDesc says.
struct TextureSampling {
    TextureFilter filter = TextureFilter::point;
    TextureFilter level_filter = TextureFilter::point;  // between levels of detail
    std::array<TextureAddressMode, 3> address{};        // of x, y and z; wrap and mirror need normalized coordinates
    bool normalized_coordinates = false;
    bool normalized_floats = false;                     // 8- and 16-bit integers are read as floats from 0 (signed: -1) to 1
    bool operator==(const TextureSampling&) const = default;
};

struct TextureDescription {
    TextureLayout layout;
    TextureSampling sampling;
};

// Axes along which coordinates are given, without layers: 1, 2 or 3. Cubes take a direction: 3.
std::uint32_t coordinates_of(TextureShape shape);
bool is_layered(TextureShape shape);  // the coordinates begin with the number of a layer
bool is_cube(TextureShape shape);
std::string_view name_of(TextureShape shape);  // "linear", "1d", "2d", "3d", "1d_layered", "2d_layered", "cube", "cube_layered"
std::string_view name_of(TextureFilter filter);
std::string_view name_of(TextureAddressMode mode);

std::uint32_t bytes_of(ChannelType channel);
bool is_float(ChannelType channel);

}  // namespace optiml
