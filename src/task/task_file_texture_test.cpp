#include <gtest/gtest.h>

#include "task/resolved.h"

namespace optiml::task {
namespace {

// A task whose argument `image` is the given one.
std::string task_with(std::string_view image) {
    return "kernel = \"f\"\n[sizes]\nw = { small = 5, large = 4096 }\nh = { small = 3, large = 2048 }\n[arguments]\nimage = " +
           std::string(image) + "\ny = { type = \"f32\", extent = \"w * h\", role = \"output\" }\n[launch]\ngrid = 1\nblock = 32\n";
}

Result<Task> parsed(std::string_view image) {
    MemoryDisk disk;
    EXPECT_TRUE(disk.write("f.cu", "__global__ void f(cudaTextureObject_t image, float* y) {}\n"));
    return parse_task(task_with(image), "f.toml", disk);
}

TEST(TaskFileTexture, HasDefaults) {
    const auto task = parsed(R"({ texture = "2d", type = "f32", extent = ["w", "h"] })");
    ASSERT_TRUE(task) << task.error().text();
    const Argument& image = task->arguments[0];
    EXPECT_EQ(image.role, Role::input);
    ASSERT_TRUE(image.texture);
    EXPECT_EQ(image.texture->sampling, TextureSampling{});
    EXPECT_EQ(image.extent.evaluate({{"w", 5}, {"h", 3}}), 15);
    EXPECT_EQ(image.fill.kind, FillKind::uniform);
    EXPECT_EQ(task->plan.steps[0].launch.arguments[0].buffers, std::vector<std::string>{"image"});
}

TEST(TaskFileTexture, ReadsEveryKey) {
    const auto task = parsed(R"({ texture = "2d_layered", type = "u8", channels = 4, extent = ["w", "h", 7], levels = 3, )"
                             R"(filter = "linear", level_filter = "linear", normalized = true, address = ["wrap", "border"], )"
                             R"(read = "normalized_float", special_values = false, fill = { integers = [1, 9] } })");
    ASSERT_TRUE(task) << task.error().text();
    const TextureDeclaration& texture = *task->arguments[0].texture;
    EXPECT_EQ(texture.shape, TextureShape::two_d_layered);
    EXPECT_EQ(texture.channels, 4u);
    EXPECT_EQ(texture.levels, 3u);
    EXPECT_EQ(texture.sampling.filter, TextureFilter::linear);
    EXPECT_EQ(texture.sampling.level_filter, TextureFilter::linear);
    EXPECT_EQ(texture.sampling.address, (std::array{TextureAddressMode::wrap, TextureAddressMode::border, TextureAddressMode::clamp}));
    EXPECT_TRUE(texture.sampling.normalized_coordinates);
    EXPECT_TRUE(texture.sampling.normalized_floats);
    EXPECT_FALSE(task->arguments[0].may_contain_special_values);
    EXPECT_EQ(task->arguments[0].fill.kind, FillKind::integers);
    // 5 x 3, 2 x 1 and 1 x 1 texels in seven layers.
    EXPECT_EQ(task->arguments[0].extent.evaluate({{"w", 5}, {"h", 3}}), (15 + 2 + 1) * 7 * 4);
}

TEST(TaskFileTexture, OneAddressModeIsThatOfAllAxes) {
    const auto task = parsed(R"({ texture = "3d", type = "f16", extent = ["w", "h", 2], address = "border" })");
    ASSERT_TRUE(task) << task.error().text();
    EXPECT_EQ(task->arguments[0].texture->sampling.address,
              (std::array{TextureAddressMode::border, TextureAddressMode::border, TextureAddressMode::border}));
}

TEST(TaskFileTexture, ResolvesToALayout) {
    struct Row {
        const char* image;
        std::array<std::uint64_t, 4> extents;  // width, height, depth, layers
    };
    const Row rows[] = {{R"({ texture = "linear", type = "i32", extent = "w * h" })", {15, 1, 1, 1}},
                        {R"({ texture = "1d", type = "f32", extent = ["w"] })", {5, 1, 1, 1}},
                        {R"({ texture = "1d_layered", type = "f32", extent = ["w", "h"] })", {5, 1, 1, 3}},
                        {R"({ texture = "2d", type = "f32", extent = ["w", "h"] })", {5, 3, 1, 1}},
                        {R"({ texture = "3d", type = "f32", extent = ["w", "h", 2] })", {5, 3, 2, 1}},
                        {R"({ texture = "2d_layered", type = "f32", extent = ["w", "h", 2] })", {5, 3, 1, 2}},
                        {R"({ texture = "cube", type = "f32", extent = "w" })", {5, 5, 1, 6}},
                        {R"({ texture = "cube_layered", type = "f32", extent = ["w", 2] })", {5, 5, 1, 12}}};
    for (const Row& row : rows) {
        const auto task = parsed(row.image);
        ASSERT_TRUE(task) << task.error().text();
        const auto plan = resolve(*task, task->plan, task->small_sizes());
        ASSERT_TRUE(plan) << plan.error().text();
        ASSERT_TRUE(plan->buffers[0].texture);
        const TextureLayout& layout = plan->buffers[0].texture->layout;
        EXPECT_EQ((std::array{layout.width, layout.height, layout.depth, layout.layers}), row.extents) << row.image;
        EXPECT_EQ(plan->buffers[0].elements, layout.texels() * layout.channels) << row.image;
    }
}

TEST(TaskFileTexture, ATextureWithoutTexelsDoesNotResolve) {
    const auto task = parsed(R"({ texture = "2d", type = "f32", extent = ["w", "h"] })");
    ASSERT_TRUE(task) << task.error().text();
    for (const Sizes& sizes : {Sizes{{"w", 0}, {"h", 3}}, Sizes{{"w", 5}, {"h", 65537}}}) {
        const auto plan = resolve(*task, task->plan, sizes);
        ASSERT_FALSE(plan);
        EXPECT_EQ(plan.error().kind, ErrorKind::user);
        EXPECT_NE(plan.error().message.find("the texture image has the extent"), std::string::npos) << plan.error().message;
    }
    for (const Sizes& sizes : edge_sizes(*task, task->plan, 20)) EXPECT_GE(sizes.at("w") * sizes.at("h"), 1);
}

TEST(TaskFileTexture, AnotherFilterIsAnotherTask) {
    const auto point = parsed(R"({ texture = "2d", type = "f32", extent = ["w", "h"] })");
    const auto linear = parsed(R"({ texture = "2d", type = "f32", extent = ["w", "h"], filter = "linear" })");
    const auto transposed = parsed(R"({ texture = "2d", type = "f32", extent = ["h", "w"] })");
    ASSERT_TRUE(point && linear && transposed);
    EXPECT_NE(point->digest(), linear->digest());
    EXPECT_NE(point->digest(), transposed->digest());
}

TEST(TaskFileTexture, SurfacesAreWrittenToo) {
    const auto task = parsed(R"({ surface = "2d", type = "u8", channels = 4, extent = ["w", "h"], role = "inout", fill = { integers = [0, 255] } })");
    ASSERT_TRUE(task) << task.error().text();
    EXPECT_EQ(task->arguments[0].role, Role::inout);
    ASSERT_TRUE(task->arguments[0].texture);
    EXPECT_TRUE(task->arguments[0].texture->is_surface);
    const auto plan = resolve(*task, task->plan, task->small_sizes());
    ASSERT_TRUE(plan) << plan.error().text();
    EXPECT_TRUE(plan->buffers[0].is_surface);
    EXPECT_EQ(plan->buffers[0].texture->layout.width, 5u);
    const auto texture = parsed(R"({ texture = "2d", type = "u8", channels = 4, extent = ["w", "h"], fill = { integers = [0, 255] } })");
    EXPECT_NE(task->digest(), texture->digest());
    const auto filtered = parsed(R"({ surface = "2d", type = "f32", extent = ["w", "h"], filter = "linear" })");
    ASSERT_FALSE(filtered);
    EXPECT_NE(filtered.error().message.find("unknown key 'filter'"), std::string::npos) << filtered.error().text();
}

TEST(TaskFileTexture, ErrorsSayWhereAndWhatToDo) {
    struct Row {
        const char* image;
        const char* message;
        std::uint32_t column;
    };
    const Row rows[] = {
        {R"({ texture = "4d", type = "f32", extent = "w" })", "unknown texture '4d'", 21},
        {R"({ texture = "2d", type = "f64", extent = ["w", "h"] })", "a texture cannot hold f64", 34},
        {R"({ texture = "2d", type = "f32", extent = "w" })", "1 extents are given", 50},
        {R"({ texture = "2d", type = "f32" })", "argument image has no extent", 9},
        {R"({ texture = "1d", type = "f32", extent = "w", channels = 3 })", "a texel has 3 channels", 66},
        {R"({ texture = "1d", type = "f32", extent = "w", levels = 0 })", "a 1d texture has 0 levels", 64},
        {R"({ texture = "1d", type = "f32", extent = "w", levels = 2 })", "levels of detail need normalized coordinates", 64},
        {R"({ texture = "1d", type = "f32", extent = "w", filter = "cubic" })", "unknown filter 'cubic'", 64},
        {R"({ texture = "1d", type = "i32", extent = "w", filter = "linear" })", "image is read as integers, which cannot be filtered", 64},
        {R"({ texture = "1d", type = "f32", extent = "w", address = "wrap" })", "wrap and mirror need normalized coordinates", 65},
        {R"({ texture = "1d", type = "i32", extent = "w", read = "normalized_float" })", "i32 is not read as normalized floats", 62},
        {R"({ texture = "linear", type = "f32", extent = "w", filter = "linear" })", "image is linear memory, which tex1Dfetch reads by index", 9},
        {R"({ texture = "1d", type = "f32", extent = "w", role = "output" })", "image is a texture, which kernels only read", 62},
        {R"({ texture = "1d", type = "f32", extent = "v" })", "the expression \"v\" uses 'v', which is no size", 51},
        {R"({ texture = "1d", type = "f32", extent = "w", alignment_offset = 1 })", "argument image has the unknown key 'alignment_offset'", 55},
    };
    for (const Row& row : rows) {
        const auto task = parsed(row.image);
        ASSERT_FALSE(task) << row.image;
        EXPECT_EQ(task.error().kind, ErrorKind::user);
        EXPECT_NE(task.error().message.find(row.message), std::string::npos) << task.error().text();
        EXPECT_EQ(task.error().where.file, "f.toml") << row.image;
        EXPECT_EQ(task.error().where.line, 6u) << row.image;
        EXPECT_EQ(task.error().where.column, row.column) << row.image;
        EXPECT_FALSE(task.error().remedy.empty()) << row.image;
    }
}

}  // namespace
}  // namespace optiml::task
