#include "emulator/textures/sampler.h"

#include <cmath>
#include <limits>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace optiml::emulator {
namespace {

using enum TextureAddressMode;

TextureDescription texture_of(TextureShape shape, std::uint64_t width, std::uint64_t height = 1, std::uint64_t depth = 1) {
    TextureDescription texture;
    texture.layout.shape = shape;
    texture.layout.width = width;
    texture.layout.height = height;
    texture.layout.depth = depth;
    return texture;
}

// Taps with their weights in 256ths: "x:weight", "x,y:weight" ..., "-" for those beyond the border.
std::string text_of(const Footprint& footprint, std::uint32_t axes) {
    std::ostringstream text;
    for (const Tap& tap : footprint) {
        text << (text.tellp() > 0 ? " " : "");
        if (tap.outside) text << '-';
        for (std::uint32_t axis = 0; axis < axes && !tap.outside; ++axis) text << (axis > 0 ? "," : "") << tap.texel[axis];
        text << ':' << tap.weight * 256;
    }
    return text.str();
}

struct Row {
    const char* name;
    TextureFilter filter;
    TextureAddressMode mode;
    bool normalized;
    double x;
    const char* taps;
};

class OneAxis : public testing::TestWithParam<Row> {};

// Five texels.
TEST_P(OneAxis, ReadsTheTexelsOfTheGuide) {
    const Row& row = GetParam();
    TextureDescription texture = texture_of(TextureShape::one_d, 5);
    texture.sampling = {.filter = row.filter, .address = {row.mode, clamp, clamp}, .normalized_coordinates = row.normalized};
    EXPECT_EQ(text_of(footprint_of(texture, {.position = {row.x, 0, 0}}), 1), row.taps);
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr TextureFilter kPoint = TextureFilter::point;
constexpr TextureFilter kLinear = TextureFilter::linear;

INSTANTIATE_TEST_SUITE_P(
    Rows, OneAxis,
    testing::Values(Row{"point_inside", kPoint, clamp, false, 2.999, "2:256"}, Row{"point_on_the_edge", kPoint, clamp, false, 3, "3:256"},
                    Row{"point_left", kPoint, clamp, false, -0.25, "0:256"}, Row{"point_right", kPoint, clamp, false, 5, "4:256"},
                    Row{"point_far", kPoint, clamp, false, 1e30, "4:256"}, Row{"point_infinite", kPoint, clamp, false, -kInfinity, "0:256"},
                    Row{"point_no_number", kPoint, clamp, false, kNan, "0:256"}, Row{"border_left", kPoint, border, false, -0.25, "-:256"},
                    Row{"border_right", kPoint, border, false, 5, "-:256"}, Row{"border_inside", kPoint, border, false, 4.75, "4:256"},
                    Row{"normalized", kPoint, clamp, true, 0.5, "2:256"}, Row{"wrap", kPoint, wrap, true, 1.3, "1:256"},
                    Row{"wrap_negative", kPoint, wrap, true, -0.1, "4:256"}, Row{"mirror_once", kPoint, mirror, true, 1.1, "4:256"},
                    Row{"mirror_twice", kPoint, mirror, true, 2.3, "1:256"}, Row{"mirror_negative", kPoint, mirror, true, -0.3, "1:256"},
                    Row{"wrap_in_texels_is_clamp", kPoint, wrap, false, 6, "4:256"}, Row{"linear_centre", kLinear, clamp, false, 2.5, "2:256 3:0"},
                    Row{"linear_quarter", kLinear, clamp, false, 2.75, "2:192 3:64"}, Row{"linear_between", kLinear, clamp, false, 3, "2:128 3:128"},
                    Row{"linear_rounds_to_256ths", kLinear, clamp, false, 2.5 + 0.6 / 256, "2:255 3:1"},
                    Row{"linear_rounds_up_to_the_next", kLinear, clamp, false, 3.5 - 0.4 / 256, "3:256 4:0"},
                    Row{"linear_left", kLinear, clamp, false, 0.25, "0:64 0:192"}, Row{"linear_right", kLinear, clamp, false, 4.75, "4:192 4:64"},
                    Row{"linear_border", kLinear, border, false, 0.25, "-:64 0:192"}, Row{"linear_wrap", kLinear, wrap, true, 0.05, "4:64 0:192"},
                    Row{"linear_mirror", kLinear, mirror, true, 0.95, "4:192 4:64"}),
    [](const auto& row) { return row.param.name; });

TEST(Sampler, FiltersAlongEachAxis) {
    TextureDescription plane = texture_of(TextureShape::two_d, 4, 3);
    plane.sampling.filter = TextureFilter::linear;
    EXPECT_EQ(text_of(footprint_of(plane, {.position = {1.75, 1.0, 0}}), 2), "1,0:96 2,0:32 1,1:96 2,1:32");
    TextureDescription volume = texture_of(TextureShape::three_d, 4, 4, 4);
    volume.sampling.filter = TextureFilter::linear;
    EXPECT_EQ(text_of(footprint_of(volume, {.position = {1.0, 1.5, 2.75}}), 3),
              "0,1,2:96 1,1,2:96 0,2,2:0 1,2,2:0 0,1,3:32 1,1,3:32 0,2,3:0 1,2,3:0");
}

TEST(Sampler, EachAxisHasItsAddressMode) {
    TextureDescription plane = texture_of(TextureShape::two_d, 4, 4);
    plane.sampling = {.address = {wrap, border, clamp}, .normalized_coordinates = true};
    EXPECT_EQ(text_of(footprint_of(plane, {.position = {1.375, 0.5, 0}}), 2), "1,2:256");
    EXPECT_EQ(text_of(footprint_of(plane, {.position = {0.5, 1.375, 0}}), 2), "-:256");
}

TEST(Sampler, TexelIndicesAreNeitherScaledNorFiltered) {
    TextureDescription texture = texture_of(TextureShape::linear, 8);
    EXPECT_EQ(text_of(footprint_of(texture, {.position = {3, 0, 0}, .texel_indices = true}), 1), "3:256");
    EXPECT_EQ(text_of(footprint_of(texture, {.position = {-1, 0, 0}, .texel_indices = true}), 1), "-:256");
    EXPECT_EQ(text_of(footprint_of(texture, {.position = {8, 0, 0}, .texel_indices = true}), 1), "-:256");
}

TEST(Sampler, LayersAreClamped) {
    TextureDescription texture = texture_of(TextureShape::two_d_layered, 4, 4);
    texture.layout.layers = 3;
    EXPECT_EQ(footprint_of(texture, {.layer = 2}).taps[0].layer, 2u);
    EXPECT_EQ(footprint_of(texture, {.layer = 7}).taps[0].layer, 2u);
    EXPECT_EQ(footprint_of(texture, {.layer = -1}).taps[0].layer, 0u);
}

struct Direction {
    std::array<double, 3> direction;
    std::uint64_t face;
    std::array<std::uint64_t, 2> texel;
};

// One texel left of and above the middle of faces of 8 x 8, from the table of faces in the guide.
TEST(Sampler, CubesChooseTheFaceOfTheLongestAxis) {
    TextureDescription cube = texture_of(TextureShape::cube, 8, 8);
    cube.layout.layers = 6;
    const Direction rows[] = {{{1, 0.1, 0.1}, 0, {3, 3}},   {{-1, 0.1, -0.1}, 1, {3, 3}}, {{-0.1, 1, -0.1}, 2, {3, 3}},
                              {{-0.1, -1, 0.1}, 3, {3, 3}}, {{-0.1, 0.1, 1}, 4, {3, 3}},  {{0.1, 0.1, -1}, 5, {3, 3}},
                              {{-0.9, 0.4, 1}, 4, {0, 2}}};
    for (const Direction& row : rows) {
        const Tap tap = footprint_of(cube, {.position = row.direction}).taps[0];
        EXPECT_EQ(tap.layer, row.face) << row.direction[0] << ' ' << row.direction[1] << ' ' << row.direction[2];
        EXPECT_EQ(tap.texel[0], row.texel[0]) << row.face;
        EXPECT_EQ(tap.texel[1], row.texel[1]) << row.face;
    }
    cube.layout.shape = TextureShape::cube_layered;
    cube.layout.layers = 12;
    EXPECT_EQ(footprint_of(cube, {.position = {-1, 0, 0}, .layer = 1}).taps[0].layer, 7u);
}

TEST(Sampler, LevelsOfDetail) {
    TextureDescription texture = texture_of(TextureShape::two_d, 8, 4);
    texture.layout.levels = 3;
    texture.sampling.normalized_coordinates = true;
    const auto at = [&](double level) { return footprint_of(texture, {.position = {0.6, 0.6, 0}, .level = level}); };
    EXPECT_EQ(at(0.4).taps[0].level, 0u);
    EXPECT_EQ(at(1.2).taps[0].level, 1u);
    EXPECT_EQ(text_of(at(1.2), 2), "2,1:256");
    EXPECT_EQ(at(9).taps[0].level, 2u);
    EXPECT_EQ(at(-1).taps[0].level, 0u);
    texture.sampling.level_filter = TextureFilter::linear;
    const Footprint between = at(1.25);
    ASSERT_EQ(between.count, 2u);
    EXPECT_EQ(between.taps[0].level, 1u);
    EXPECT_EQ(between.taps[0].weight, 0.75);
    EXPECT_EQ(between.taps[1].level, 2u);
    EXPECT_EQ(between.taps[1].weight, 0.25);
    EXPECT_EQ(at(2).count, 1u);
}

TEST(Sampler, TexelsAreNumberedAsAHostHoldsThem) {
    TextureDescription texture = texture_of(TextureShape::two_d_layered, 5, 3);
    texture.layout.layers = 2;
    texture.layout.levels = 2;
    EXPECT_EQ(texture.layout.texels(), 5u * 3 * 2 + 2u * 1 * 2);
    EXPECT_EQ((Tap{.texel = {4, 2, 0}, .layer = 1, .level = 0}.index_in(texture.layout)), 29u);
    EXPECT_EQ((Tap{.texel = {1, 0, 0}, .layer = 1, .level = 1}.index_in(texture.layout)), 33u);
    const TextureDescription volume = texture_of(TextureShape::three_d, 3, 4, 5);
    EXPECT_EQ((Tap{.texel = {2, 3, 4}}.index_in(volume.layout)), 59u);
}

}  // namespace
}  // namespace optiml::emulator
