#include "emulator/textures/sampler.h"

#include <algorithm>
#include <cmath>

namespace optiml::emulator {
namespace {

constexpr double kFractions = 256;  // filtering works with eight bits of fraction

// Texels along one axis; index -1: beyond the border.
struct AxisTaps {
    std::array<std::int64_t, 2> index{};
    std::array<double, 2> weight{1, 0};
    std::uint32_t count = 1;
};

std::int64_t remainder_of(std::int64_t value, std::int64_t divisor) {
    const std::int64_t remainder = value % divisor;
    return remainder < 0 ? remainder + divisor : remainder;
}

// What one axis of a level does with coordinates.
struct Axis {
    std::int64_t extent = 1;
    TextureAddressMode mode = TextureAddressMode::clamp;
    bool linear = false;
    bool normalized = false;

    AxisTaps taps(double coordinate) const {
        const double position = position_of(coordinate);
        if (!linear) return {.index = {addressed(static_cast<std::int64_t>(std::floor(position)))}};
        const double steps = std::floor((position - 0.5) * kFractions + 0.5);
        const double first = std::floor(steps / kFractions);
        const double fraction = steps / kFractions - first;
        const auto index = static_cast<std::int64_t>(first);
        return {.index = {addressed(index), addressed(index + 1)}, .weight = {1 - fraction, fraction}, .count = 2};
    }

private:
    // In texels, within two of the extent's ends so that it can be counted in integers.
    double position_of(double coordinate) const {
        if (std::isnan(coordinate)) coordinate = 0;
        if (mode == TextureAddressMode::wrap) coordinate -= std::floor(coordinate);
        if (mode == TextureAddressMode::mirror) coordinate -= 2 * std::floor(coordinate / 2);
        if (std::isnan(coordinate)) coordinate = 0;
        const auto size = static_cast<double>(extent);
        return std::clamp(normalized ? coordinate * size : coordinate, -2.0, 2 * size + 2);
    }

    std::int64_t addressed(std::int64_t index) const {
        switch (mode) {
            case TextureAddressMode::border: return index < 0 || index >= extent ? -1 : index;
            case TextureAddressMode::wrap: return remainder_of(index, extent);
            case TextureAddressMode::mirror: {
                const std::int64_t within = remainder_of(index, 2 * extent);
                return within < extent ? within : 2 * extent - 1 - within;
            }
            case TextureAddressMode::clamp: break;
        }
        return std::clamp<std::int64_t>(index, 0, extent - 1);
    }
};

// A direction as a place on a face: CUDA C++ Programming Guide, "Cubemap Textures".
struct CubePlace {
    std::int64_t face = 0;
    double s = 0;
    double t = 0;
};

CubePlace cube_place(const std::array<double, 3>& direction) {
    const auto [x, y, z] = direction;
    const double ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
    const auto place = [](std::int64_t face, double s, double t, double major) {
        return CubePlace{face, (s / major + 1) / 2, (t / major + 1) / 2};
    };
    if (az >= ax && az >= ay) return z >= 0 ? place(4, x, -y, az) : place(5, -x, -y, az);
    if (ay >= ax) return y >= 0 ? place(2, x, z, ay) : place(3, x, -z, ay);
    return x >= 0 ? place(0, -z, -y, ax) : place(1, z, -y, ax);
}

class Sampler {
public:
    Sampler(const TextureDescription& texture, const TextureCoordinates& coordinates) : texture_(texture), position_(coordinates.position) {
        const TextureLayout& layout = texture.layout;
        texel_indices_ = coordinates.texel_indices;
        normalized_ = texture.sampling.normalized_coordinates && !texel_indices_;
        linear_ = texture.sampling.filter == TextureFilter::linear && !texel_indices_;
        axes_ = coordinates_of(layout.shape);
        std::int64_t layer = std::max<std::int64_t>(0, coordinates.layer);
        if (is_cube(layout.shape)) {
            const CubePlace place = cube_place(coordinates.position);
            const auto cubes = static_cast<std::int64_t>(layout.layers / 6);
            layer = std::min(layer, cubes - 1) * 6 + place.face;
            position_ = {place.s, place.t, 0};
            normalized_ = true;
            axes_ = 2;
        }
        layer_ = static_cast<std::uint64_t>(std::min(layer, static_cast<std::int64_t>(layout.layers) - 1));
    }

    void filter_linearly() { linear_ = true; }

    void sample(std::uint32_t level, double weight, Footprint& footprint) const {
        const TextureLayout& layout = texture_.layout;
        const std::array<std::uint64_t, 3> extents{layout.width_of(level), layout.height_of(level), layout.depth_of(level)};
        std::array<AxisTaps, 3> taps;
        for (std::uint32_t axis = 0; axis < axes_; ++axis) taps[axis] = axis_of(axis, extents[axis]).taps(position_[axis]);
        for (std::uint32_t z = 0; z < taps[2].count; ++z)
            for (std::uint32_t y = 0; y < taps[1].count; ++y)
                for (std::uint32_t x = 0; x < taps[0].count; ++x) {
                    Tap& tap = footprint.taps[footprint.count++];
                    tap.layer = layer_;
                    tap.level = level;
                    tap.weight = weight * taps[0].weight[x] * taps[1].weight[y] * taps[2].weight[z];
                    const std::array<std::int64_t, 3> index{taps[0].index[x], taps[1].index[y], taps[2].index[z]};
                    tap.outside = std::ranges::any_of(index, [](std::int64_t place) { return place < 0; });
                    for (std::size_t axis = 0; axis < 3; ++axis) tap.texel[axis] = static_cast<std::uint64_t>(std::max<std::int64_t>(0, index[axis]));
                }
    }

private:
    Axis axis_of(std::uint32_t axis, std::uint64_t extent) const {
        TextureAddressMode mode = texture_.sampling.address[axis];
        const bool repeats = mode == TextureAddressMode::wrap || mode == TextureAddressMode::mirror;
        if (repeats && !normalized_) mode = TextureAddressMode::clamp;
        if (texture_.layout.shape == TextureShape::linear) mode = TextureAddressMode::border;
        return {static_cast<std::int64_t>(extent), mode, linear_, normalized_};
    }

    const TextureDescription& texture_;
    std::array<double, 3> position_;
    std::uint64_t layer_ = 0;
    std::uint32_t axes_ = 1;
    bool texel_indices_ = false;
    bool normalized_ = false;
    bool linear_ = false;
};

}  // namespace

std::uint64_t Tap::index_in(const TextureLayout& layout) const {
    const std::uint64_t row = (layer * layout.depth_of(level) + texel[2]) * layout.height_of(level) + texel[1];
    return layout.first_texel_of(level) + row * layout.width_of(level) + texel[0];
}

Footprint footprint_of(const TextureDescription& texture, const TextureCoordinates& coordinates) {
    const Sampler sampler(texture, coordinates);
    Footprint footprint;
    const double last = texture.layout.levels - 1;
    const double level = std::isnan(coordinates.level) ? 0 : std::clamp(coordinates.level, 0.0, last);
    if (texture.sampling.level_filter == TextureFilter::point || texture.layout.levels == 1) {
        sampler.sample(static_cast<std::uint32_t>(std::min(last, std::floor(level + 0.5))), 1.0, footprint);
        return footprint;
    }
    const double steps = std::floor(level * kFractions + 0.5);
    const double first = std::floor(steps / kFractions);
    const double fraction = steps / kFractions - first;
    sampler.sample(static_cast<std::uint32_t>(first), 1 - fraction, footprint);
    if (fraction > 0) sampler.sample(static_cast<std::uint32_t>(first) + 1, fraction, footprint);
    return footprint;
}

Footprint gathered(const TextureDescription& texture, const TextureCoordinates& coordinates) {
    Sampler sampler(texture, coordinates);
    sampler.filter_linearly();
    Footprint footprint;
    sampler.sample(0, 1, footprint);
    return footprint;
}

}  // namespace optiml::emulator
