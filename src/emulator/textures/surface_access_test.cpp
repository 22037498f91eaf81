#include <numeric>

#include <gtest/gtest.h>

#include "emulator/launch_kit.h"

namespace optiml::emulator {
namespace {

TextureLayout plane(std::uint64_t width, std::uint64_t height) {
    TextureLayout layout;
    layout.width = width;
    layout.height = height;
    return layout;
}

std::vector<float> counted(std::size_t count) {
    std::vector<float> values(count);
    std::iota(values.begin(), values.end(), 1.0f);
    return values;
}

class Surfaces : public testing::Test {
protected:
    LaunchKit kit = LaunchKit::from_file("surfaces");
};

TEST_F(Surfaces, AreReadAndWritten) {
    const std::vector<float> texels = counted(35 * 11);
    const std::uint64_t from = kit.memory.add_surface(kit.input("from", texels), plane(35, 11));
    const BufferId result = kit.output<float>("to", texels.size());
    const std::uint64_t to = kit.memory.add_surface(result, plane(35, 11));
    for (const std::uint32_t threads : {1u, 3u}) {
        kit.options.host_threads = threads;
        kit.options.instructions_alone = 0;
        kit.memory.reset(result);
        const LaunchResult run = kit.run("double_texels", {3, 3}, {16, 4}, from, to, 35, 11);
        EXPECT_EQ(describe(run), "") << kit.error();
        std::vector<float> twice = texels;
        for (float& value : twice) value *= 2;
        EXPECT_EQ(kit.read<float>(result), twice);
        EXPECT_EQ(run.counters.at("l1tex__t_requests_pipe_tex_mem_surface_op_ld.sum"), run.counters.at("l1tex__t_requests_pipe_tex_mem_surface_op_st.sum"));
        EXPECT_GT(run.counters.at("l1tex__t_sectors_pipe_tex_mem_surface_op_st.sum"), 35 * 11 / 8);
    }
}

TEST_F(Surfaces, OutsideTheyTrapClampOrGiveZero) {
    const std::uint64_t from = kit.memory.add_surface(kit.input("from", counted(4)), plane(4, 1));
    const BufferId result = kit.output<float>("to", 4);
    const std::uint64_t to = kit.memory.add_surface(result, plane(4, 1));
    const std::vector<Finding> found = kit.run("shifted", {1}, {4}, from, to, 0).findings;
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].kind, FindingKind::out_of_bounds);
    EXPECT_EQ(found[0].line, 12u);
    EXPECT_EQ(found[0].message, "suld.b.2d.b32.trap outside of the surface 'from'");
    EXPECT_EQ(describe(kit.run("shifted", {1}, {4}, from, to, 1)), "");
    EXPECT_EQ(kit.read<float>(result), (std::vector<float>{2, 3, 4, 4}));
    EXPECT_EQ(describe(kit.run("shifted", {1}, {4}, from, to, 2)), "");
    EXPECT_EQ(kit.read<float>(result), (std::vector<float>{2, 3, 4, 0}));
}

TEST_F(Surfaces, RacesAreFound) {
    const std::uint64_t image = kit.memory.add_surface(kit.input("image", counted(64)), plane(64, 1));
    const std::vector<Finding> found = kit.run("in_place", {1}, {64}, image).findings;
    ASSERT_FALSE(found.empty());
    EXPECT_EQ(found[0].kind, FindingKind::race);
    EXPECT_EQ(found[0].buffer, "image");
}

TEST_F(Surfaces, WhatWasNeverWrittenIsUninitialised) {
    const std::uint64_t from = kit.memory.add_surface(kit.output<float>("from", 4), plane(4, 1));
    const std::uint64_t to = kit.memory.add_surface(kit.output<float>("to", 4), plane(4, 1));
    const std::vector<Finding> found = kit.run("double_texels", {1}, {4}, from, to, 4, 1).findings;
    ASSERT_FALSE(found.empty());
    EXPECT_EQ(found[0].kind, FindingKind::uninitialized);
}

TEST_F(Surfaces, TexelsOfSeveralChannelsAndAxes) {
    TextureLayout layout = plane(3, 4);
    layout.shape = TextureShape::three_d;
    layout.depth = 2;
    layout.channel = ChannelType::u8;
    layout.channels = 4;
    const BufferId result = kit.output<std::uint8_t>("to", 3 * 4 * 2 * 4);
    EXPECT_EQ(describe(kit.run("voxels", {1}, {3, 4, 2}, kit.memory.add_surface(result, layout))), "");
    const auto texels = kit.read<std::uint8_t>(result);
    for (std::uint8_t z = 0; z < 2; ++z)
        for (std::uint8_t y = 0; y < 4; ++y)
            for (std::uint8_t x = 0; x < 3; ++x) {
                const std::size_t at = 4 * (std::size_t{z} * 12 + y * 3 + x);
                EXPECT_EQ((std::vector<std::uint8_t>(texels.begin() + at, texels.begin() + at + 4)), (std::vector<std::uint8_t>{x, y, z, 7}));
            }
}

TEST_F(Surfaces, TexturesAreNoSurfaces) {
    const BufferId texels = kit.input("from", counted(4));
    const std::uint64_t texture = kit.memory.add_texture(texels, {.layout = plane(4, 1), .sampling = {}});
    const std::uint64_t to = kit.memory.add_surface(kit.output<float>("to", 4), plane(4, 1));
    const std::vector<Finding> found = kit.run("double_texels", {1}, {4}, texture, to, 4, 1).findings;
    ASSERT_FALSE(found.empty());
    EXPECT_NE(found[0].message.find("which is no surface object"), std::string::npos) << found[0].message;
}

}  // namespace
}  // namespace optiml::emulator
