#include <cstring>

#include <gtest/gtest.h>

#include "base/texture_test.h"
#include "emulator/launch_kit.h"

namespace optiml::emulator {
namespace {

struct Float2 {
    float x = 0, y = 0;
};

class Textures : public testing::Test {
protected:
    template <class Element>
    std::uint64_t texture(const std::vector<Element>& texels, const TextureDescription& description) {
        EXPECT_EQ(texels.size() * sizeof(Element), description.layout.bytes());
        return kit.memory.add_texture(kit.input("texels", texels), description);
    }
    // One fetch a place.
    template <class Result, class Place>
    std::vector<Result> fetched(const std::string& kernel, std::uint64_t handle, const std::vector<Place>& places) {
        const BufferId result = kit.output<Result>("result", places.size());
        const LaunchResult run = kit.run(kernel, {1}, {32}, handle, LaunchKit::Buffer{kit.input("places", places)},
                                         LaunchKit::Buffer{result}, static_cast<int>(places.size()));
        EXPECT_EQ(describe(run), "") << kit.error();
        return kit.read<Result>(result);
    }

    LaunchKit kit = LaunchKit::from_file("textures");
};

TEST_F(Textures, APlaneIsReadTexelByTexel) {
    const std::vector<float> texels = counted(35 * 11);
    const std::uint64_t image = texture(texels, described(TextureShape::two_d, 35, 11));
    const BufferId result = kit.output<float>("result", texels.size());
    const LaunchResult run = kit.run("plane", {3, 3}, {16, 4}, image, LaunchKit::Buffer{result}, 35, 11);
    EXPECT_EQ(describe(run), "") << kit.error();
    EXPECT_EQ(kit.read<float>(result), texels);
}

TEST_F(Textures, ColoursKeepTheirChannels) {
    std::vector<std::uint8_t> texels(8 * 4 * 4);
    std::iota(texels.begin(), texels.end(), std::uint8_t{3});
    TextureDescription description = described(TextureShape::two_d, 8, 4);
    description.layout.channel = ChannelType::u8;
    description.layout.channels = 4;
    const std::uint64_t image = texture(texels, description);
    const BufferId result = kit.output<std::uint8_t>("result", texels.size());
    EXPECT_EQ(describe(kit.run("colours", {1}, {8, 4}, image, LaunchKit::Buffer{result}, 8, 4)), "");
    EXPECT_EQ(kit.read<std::uint8_t>(result), texels);
}

TEST_F(Textures, LinearFiltersWeighFourTexels) {
    TextureDescription description = described(TextureShape::two_d, 2, 2);
    description.sampling.filter = TextureFilter::linear;
    const std::uint64_t image = texture<float>({0, 16, 32, 64}, description);
    const auto values = fetched<Float4>("positions", image, std::vector<Float2>{{0.5f, 0.5f}, {1, 1}, {0.75f, 1.25f}});
    EXPECT_EQ(values[0], (Float4{0, 0, 0, 0}));  // the channels that a texel lacks
    EXPECT_EQ(values[1].x, 28);
    EXPECT_EQ(values[2].x, 0.25f * 4 + 0.75f * 40);
}

TEST_F(Textures, IntegersBecomeNormalizedFloats) {
    TextureDescription description = described(TextureShape::two_d, 2, 1);
    description.layout.channel = ChannelType::i8;
    description.layout.channels = 2;
    description.sampling.normalized_floats = true;
    const std::uint64_t image = texture<std::int8_t>({127, -128, 64, -64}, description);
    const auto values = fetched<Float4>("positions", image, std::vector<Float2>{{0.5f, 0.5f}, {1.5f, 0.5f}});
    EXPECT_EQ(values[0], (Float4{1, -1, 0, 0}));
    EXPECT_EQ(values[1], (Float4{64.0f / 127, -64.0f / 127, 0, 0}));
}

TEST_F(Textures, ElementsOfLinearMemoryByIndex) {
    TextureDescription description = described(TextureShape::linear, 5);
    description.layout.channel = ChannelType::i32;
    const std::uint64_t list = texture<int>({7, -8, 9, 10, 11}, description);
    EXPECT_EQ(fetched<int>("elements", list, std::vector<int>{1, 4, 0, 5, -1}), (std::vector<int>{-8, 11, 7, 0, 0}));
}

TEST_F(Textures, OneAndThreeAxes) {
    TextureDescription line = described(TextureShape::one_d, 4);
    line.sampling = {.filter = TextureFilter::linear, .address = {TextureAddressMode::wrap}, .normalized_coordinates = true};
    EXPECT_EQ(fetched<float>("line", texture<float>({0, 8, 16, 24}, line), std::vector<float>{0.125f, 0.25f, 1.0f}),
              (std::vector<float>{0, 4, 12}));
    TextureDescription volume = described(TextureShape::three_d, 3, 4, 5);
    EXPECT_EQ(fetched<float>("volume", texture(counted(60), volume), std::vector<Float4>{{2.5f, 3.5f, 4.5f}, {0.5f, 1.5f, 2.5f}}),
              (std::vector<float>{59, 27}));
}

TEST_F(Textures, LayersAndFaces) {
    TextureDescription images = described(TextureShape::two_d_layered, 2, 2);
    images.layout.layers = 3;
    EXPECT_EQ(fetched<float>("layers", texture(counted(12), images), std::vector<Float4>{{0.5f, 1.5f, 2}, {1.5f, 0.5f, 1}}),
              (std::vector<float>{10, 5}));
    TextureDescription faces = described(TextureShape::cube, 1, 1);
    faces.layout.layers = 6;
    EXPECT_EQ(fetched<float>("cube", texture(counted(6), faces),
                             std::vector<Float4>{{2, 1, 1}, {-2, 1, 1}, {0, 3, 1}, {0, -3, 1}, {0, 1, 2}, {0, 1, -2}}),
              counted(6));
}

TEST_F(Textures, LevelsOfDetailByNumberAndByGradient) {
    TextureDescription image = described(TextureShape::two_d, 4, 4);
    image.layout.levels = 3;
    image.sampling.normalized_coordinates = true;
    std::vector<float> texels(16, 1);
    texels.insert(texels.end(), 4, 2);
    texels.push_back(3);
    const std::uint64_t handle = texture(texels, image);
    EXPECT_EQ(fetched<float>("levels", handle, std::vector<Float4>{{0.1f, 0.9f, 0}, {0.1f, 0.9f, 1}, {0.1f, 0.9f, 5}}),
              (std::vector<float>{1, 2, 3}));
    // Steps of a quarter are one texel of the largest level, those of a half two, of one four.
    EXPECT_EQ(fetched<float>("gradients", handle, std::vector<Float4>{{0.1f, 0.1f, 0.25f, 0.1f}, {0.1f, 0.1f, 0.1f, 0.5f}, {0.1f, 0.1f, 1, 0}}),
              (std::vector<float>{1, 2, 3}));
}

TEST_F(Textures, GatheredTexelsGoRound) {
    const std::uint64_t image = texture(counted(9), described(TextureShape::two_d, 3, 3));
    EXPECT_EQ(fetched<Float4>("gathered", image, std::vector<Float2>{{1.0f, 2.0f}}), (std::vector<Float4>{{6, 7, 4, 3}}));
}

TEST_F(Textures, WrongHandlesAreFindingsWithTheirLine) {
    const BufferId buffer = kit.input("texels", counted(16));
    const std::uint64_t handle = kit.memory.add_texture(buffer, described(TextureShape::one_d, 16));
    const BufferId result = kit.output<float>("result", 16);
    const auto findings = [&](std::uint64_t image) { return kit.run("plane", {1}, {4, 4}, image, LaunchKit::Buffer{result}, 4, 4).findings; };
    for (const std::uint64_t wrong : {std::uint64_t{0}, kit.memory.address(buffer), handle + 1}) {
        const std::vector<Finding> found = findings(wrong);
        ASSERT_EQ(found.size(), 1u);
        EXPECT_EQ(found[0].kind, FindingKind::out_of_bounds);
        EXPECT_EQ(found[0].line, 6u);
        EXPECT_NE(found[0].message.find("no texture object"), std::string::npos) << found[0].message;
    }
    const std::vector<Finding> found = findings(handle);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].message, "tex.2d.v4.f32.f32 reads 'texels', which is a texture of shape 1d");
    EXPECT_EQ(found[0].buffer, "texels");
}

TEST_F(Textures, TheWiderDomainKeepsWhatTheFilterRounds) {
    kit.options.domain = ValueDomain::wider_shadow;
    TextureDescription description = described(TextureShape::one_d, 2);
    description.sampling.filter = TextureFilter::linear;
    const std::uint64_t image = texture<float>({0.1f, 0.7f}, description);
    const std::vector<float> values = fetched<float>("line", image, std::vector<float>{0.75f});
    double high = 0, low = 0;
    kit.memory.read_shadow(static_cast<BufferId>(kit.memory.buffer_count() - 2), 0, 1, &high, &low);
    const double exact = double{0.1f} * 0.75 + double{0.7f} * 0.25;
    EXPECT_EQ(values[0], static_cast<float>(exact));
    EXPECT_NE(values[0], exact);
    EXPECT_EQ(high + low, exact);
}

// A warp that reads 32 neighbours of a row touches eight sectors, of which each holds two rows: the next row finds them.
TEST_F(Textures, SectorsHoldTwoRows) {
    const std::uint64_t image = texture(counted(32 * 2), described(TextureShape::two_d, 32, 2));
    const BufferId result = kit.output<float>("result", 64);
    const LaunchResult run = kit.run("plane", {1}, {32, 2}, image, LaunchKit::Buffer{result}, 32, 2);
    EXPECT_EQ(run.counters.at("l1tex__t_requests_pipe_tex_mem_texture.sum"), 2);
    EXPECT_EQ(run.counters.at("l1tex__t_sectors_pipe_tex_mem_texture.sum"), 16);
    EXPECT_EQ(run.counters.at("l1tex__t_sectors_pipe_tex_mem_texture_lookup_hit.sum"), 8);
    EXPECT_EQ(run.counters.at("smsp__sass_inst_executed_op_texture.sum"), 2);
    EXPECT_EQ(run.counters.at("lts__t_sectors_srcunit_tex_op_read.sum"), 8);
    EXPECT_EQ(run.counters.at("dram__bytes_read.sum"), 256);
    EXPECT_EQ(run.counters.at("model__texture_quads"), 16);
}

// A block of 8 x 4 pixels reads as many texels, whatever the sectors that they lie in.
TEST_F(Textures, FootprintsAreInElements) {
    TextureDescription description = described(TextureShape::two_d, 35, 11);
    const BufferId texels = kit.input("texels", counted(35 * 11));
    const std::uint64_t image = kit.memory.add_texture(texels, description);
    const BufferId result = kit.output<float>("result", 35 * 11);
    kit.options.footprints = true;
    const LaunchResult run = kit.run("plane", {5, 3}, {8, 4}, image, LaunchKit::Buffer{result}, 35, 11);
    ASSERT_EQ(run.footprints.size(), 15u);
    EXPECT_EQ(run.footprints[0].buffers[texels].read, 32u);
    EXPECT_EQ(run.footprints[14].buffers[texels].read, 3u * 3);
    EXPECT_EQ(run.footprints[0].buffers[texels].written, 0u);
}

// Host threads read textures through views of the memory.
TEST_F(Textures, AreReadByAllHostThreads) {
    const std::vector<float> texels = counted(256 * 64);
    const std::uint64_t image = texture(texels, described(TextureShape::two_d, 256, 64));
    const BufferId result = kit.output<float>("result", texels.size());
    kit.options.host_threads = 3;
    kit.options.instructions_alone = 0;
    EXPECT_EQ(describe(kit.run("plane", {16, 16}, {16, 4}, image, LaunchKit::Buffer{result}, 256, 64)), "");
    EXPECT_EQ(kit.read<float>(result), texels);
}

}  // namespace
}  // namespace optiml::emulator
