#include "emulator/textures/block_linear.h"

#include <set>

#include <gtest/gtest.h>

namespace optiml::emulator {
namespace {

TextureLayout layout_of(TextureShape shape, std::uint64_t width, std::uint64_t height, std::uint64_t depth, std::uint32_t channels) {
    TextureLayout layout;
    layout.shape = shape;
    layout.width = width;
    layout.height = height;
    layout.depth = depth;
    layout.channels = channels;
    return layout;
}

std::uint64_t offset(const TextureLayout& layout, std::uint64_t x, std::uint64_t y) { return BlockLinear(layout).offset_of({.texel = {x, y, 0}}); }

TEST(BlockLinear, ASectorIsFourFloatsOfTwoRows) {
    const TextureLayout layout = layout_of(TextureShape::two_d, 64, 64, 1, 1);
    EXPECT_EQ(offset(layout, 0, 0), 0u);
    EXPECT_EQ(offset(layout, 3, 0), 12u);
    EXPECT_EQ(offset(layout, 0, 1), 16u);
    EXPECT_EQ(offset(layout, 4, 0), 32u);
    EXPECT_EQ(offset(layout, 0, 2), 64u);
    EXPECT_EQ(offset(layout, 8, 0), 256u);
    EXPECT_EQ(offset(layout, 0, 8), 512u);
    EXPECT_EQ(offset(layout, 16, 0), 512u * 8);  // the next column: eight groups stand on each other
}

TEST(BlockLinear, LinearMemoryLiesAsItIs) {
    const TextureLayout layout = layout_of(TextureShape::linear, 100, 1, 1, 4);
    EXPECT_EQ(offset(layout, 7, 0), 112u);
    EXPECT_EQ(BlockLinear(layout).bytes(), 1600u);
}

// Whatever the shape, no two texels share bytes, and all lie inside.
TEST(BlockLinear, EveryTexelHasBytesOfItsOwn) {
    TextureLayout layouts[] = {layout_of(TextureShape::two_d, 37, 300, 1, 1), layout_of(TextureShape::two_d, 5, 3, 1, 4),
                               layout_of(TextureShape::three_d, 9, 17, 5, 2), layout_of(TextureShape::two_d_layered, 33, 20, 1, 1)};
    layouts[3].layers = 3;
    layouts[3].levels = 4;
    for (const TextureLayout& layout : layouts) {
        const BlockLinear places(layout);
        std::set<std::uint64_t> offsets;
        for (std::uint32_t level = 0; level < layout.levels; ++level)
            for (std::uint64_t layer = 0; layer < layout.layers; ++layer)
                for (std::uint64_t z = 0; z < layout.depth_of(level); ++z)
                    for (std::uint64_t y = 0; y < layout.height_of(level); ++y)
                        for (std::uint64_t x = 0; x < layout.width_of(level); ++x)
                            offsets.insert(places.offset_of({.texel = {x, y, z}, .layer = layer, .level = level}));
        EXPECT_EQ(offsets.size(), layout.texels());
        EXPECT_LE(*offsets.rbegin() + layout.texel_bytes(), places.bytes());
    }
}

}  // namespace
}  // namespace optiml::emulator
