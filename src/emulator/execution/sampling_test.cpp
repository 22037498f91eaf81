#include <gtest/gtest.h>

#include "base/random.h"
#include "emulator/launch_kit.h"
#include "emulator/storage/memory_implementation.h"

namespace optiml::emulator {
namespace {

using Buffer = LaunchKit::Buffer;

constexpr std::uint64_t kExtent = 16384;

ByteGenerator random_floats() {
    return [](std::uint64_t offset, std::uint64_t count, std::uint8_t* bytes) {
        for (std::uint64_t byte = 0; byte < count; ++byte) {
            const float value = static_cast<float>(random_unit(3, (offset + byte) / 4));
            bytes[byte] = reinterpret_cast<const std::uint8_t*>(&value)[(offset + byte) % 4];
        }
    };
}

TEST(Sampling, BlocksOfAHugeGridNeedLittleMemory) {
    LaunchKit kit = LaunchKit::from_file("basics");
    const std::uint64_t bytes = kExtent * kExtent * sizeof(float);
    const BufferId a = kit.memory.add({.name = "a", .bytes = bytes, .initialized = true, .generator = random_floats()});
    const BufferId c = kit.memory.add({.name = "c", .bytes = bytes});
    const std::uint32_t blocks = kExtent / 16;
    const std::uint64_t last = std::uint64_t{blocks} * blocks - 1;
    kit.options.blocks = {.kind = BlockSelection::Kind::list, .linear_indices = {0, last}};
    const LaunchResult result = kit.run("matmul", {blocks, blocks}, {16, 16}, Buffer{a}, Buffer{a}, Buffer{c}, static_cast<int>(kExtent));
    EXPECT_EQ(describe(result), "");
    EXPECT_EQ(result.blocks_run, 2u);
    // Only the 16 rows of each of the two tiles of c stay.
    EXPECT_EQ(kit.memory.implementation().buffers[a]->page_count(), 0u);
    EXPECT_EQ(kit.memory.implementation().buffers[c]->page_count(), 32u);
    EXPECT_EQ(kit.memory.uninitialized(c, 0, 4), (std::vector<std::uint8_t>(4, 0)));
    EXPECT_EQ(kit.memory.uninitialized(c, 64, 4), (std::vector<std::uint8_t>(4, 1)));
}

TEST(Sampling, CountersStandForTheWholeGrid) {
    constexpr int n = 1 << 22;
    const auto run = [&](bool sampled) {
        LaunchKit kit = LaunchKit::from_file("basics");
        const BufferId x = kit.memory.add({.name = "x", .bytes = n * sizeof(float), .initialized = true, .generator = random_floats()});
        const BufferId y = kit.output<float>("y", n);
        if (sampled) kit.options.blocks = {.kind = BlockSelection::Kind::sample, .sample_count = 64, .seed = 5};
        return kit.run("relu", {n / 256}, {256}, Buffer{x}, Buffer{y}, n);
    };
    LaunchResult whole = run(false);
    LaunchResult part = run(true);
    EXPECT_LT(part.blocks_run, whole.blocks_run / 50);
    const std::string sectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
    EXPECT_NEAR(part.counters[sectors], whole.counters[sectors], 1e-6 * whole.counters[sectors]);
}

TEST(Footprints, AreThoseOfEachBlock) {
    constexpr int n = 1000;
    LaunchKit kit = LaunchKit::from_file("basics");
    const BufferId x = kit.input<float>("x", std::vector<float>(n, 1.0f));
    const BufferId y = kit.output<float>("y", n);
    kit.options.footprints = true;
    for (const std::uint32_t threads : {1u, 3u}) {
        kit.options.host_threads = threads;
        const LaunchResult result = kit.run("relu", {4}, {256}, Buffer{x}, Buffer{y}, n);
        EXPECT_EQ(describe(result), "");
        EXPECT_TRUE(result.counters.empty());
        ASSERT_EQ(result.footprints.size(), 4u);
        for (std::uint64_t block = 0; block < 4; ++block) {
            const BlockFootprint& footprint = result.footprints[block];
            const std::uint64_t elements = block == 3 ? n - 3 * 256 : 256;
            EXPECT_EQ(footprint.block, block);
            EXPECT_EQ(footprint.buffers[x].read, elements);
            EXPECT_EQ(footprint.buffers[x].written, 0u);
            EXPECT_EQ(footprint.buffers[y].read, 0u);
            EXPECT_EQ(footprint.buffers[y].written, elements);
        }
    }
}

TEST(Footprints, CountAnElementOnceABlock) {
    constexpr std::uint32_t n = 32;
    LaunchKit kit = LaunchKit::from_file("basics");
    const BufferId a = kit.input<float>("a", std::vector<float>(n * n, 1.0f));
    const BufferId c = kit.output<float>("c", n * n);
    kit.options.footprints = true;
    kit.options.blocks = {.kind = BlockSelection::Kind::list, .linear_indices = {3}};
    const LaunchResult result = kit.run("matmul", {2, 2}, {16, 16}, Buffer{a}, Buffer{a}, Buffer{c}, static_cast<int>(n));
    ASSERT_EQ(result.footprints.size(), 1u);
    // Its 16 rows and its 16 columns, which share 16 x 16 elements.
    EXPECT_EQ(result.footprints[0].buffers[a].read, 2u * 16 * n - 16 * 16);
    EXPECT_EQ(result.footprints[0].buffers[c].written, 16u * 16);
}

}  // namespace
}  // namespace optiml::emulator
