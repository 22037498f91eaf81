#include "evaluation/large_sizes.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "evaluation/index_limit.h"
#include "evaluation/sampled_run.h"

namespace optiml::evaluation {
namespace {

constexpr std::int64_t k2To31 = std::int64_t{1} << 31, k2To32 = std::int64_t{1} << 32;

task::Task task_of(const std::string& sizes, const std::string& extent, const std::string& argument_type, const std::string& source = "") {
    MemoryDisk disk;
    EXPECT_TRUE(disk.write("k.cu", source));
    auto task = task::parse_task("kernel = \"k\"\n[sizes]\n" + sizes + "\n[arguments]\ny = { type = \"f32\", extent = \"" + extent +
                                     "\", role = \"output\" }\nn = \"" + argument_type + "\"\n[launch]\ngrid = \"ceil_div(n, 256)\"\nblock = 256",
                                 "k.toml", disk);
    EXPECT_TRUE(task) << task.error().text();
    return task ? std::move(*task) : task::Task{};
}

std::vector<std::int64_t> values_of(const std::vector<task::Sizes>& all, const std::string& size) {
    std::vector<std::int64_t> values;
    for (const task::Sizes& sizes : all) values.push_back(sizes.at(size));
    return values;
}

bool holds(const std::vector<std::int64_t>& values, std::int64_t value) { return std::find(values.begin(), values.end(), value) != values.end(); }

TEST(LargeSizes, PassThePowersOfTwoWhereTheOriginalCan) {
    const auto values = values_of(large_sizes(task_of("n = { small = 100, large = \"2^28\" }", "n", "i64"), INT64_MAX), "n");
    EXPECT_TRUE(holds(values, 65537));
    EXPECT_TRUE(holds(values, k2To31 + 512));
    EXPECT_FALSE(holds(values, k2To32 + 512));  // 8 times the large size is the end
    EXPECT_TRUE(holds(values, INT32_MAX));
    EXPECT_TRUE(holds(values, 1 << 28));
}

TEST(LargeSizes, EndWhereIntsEnd) {
    const auto values = values_of(large_sizes(task_of("n = { small = 100, large = \"2^28\" }", "n", "i32"), INT32_MAX), "n");
    EXPECT_TRUE(holds(values, INT32_MAX));
    EXPECT_EQ(*std::max_element(values.begin(), values.end()), INT32_MAX);
}

TEST(LargeSizes, KeepProductsWithinTheLimit) {
    const task::Task task = task_of("n = { small = 100, large = 4096 }\nm = { small = 64, large = 4096, power_of_two = true }", "n * m", "i32");
    for (const task::Sizes& sizes : large_sizes(task, INT32_MAX)) {
        EXPECT_LE(sizes.at("n") * sizes.at("m"), INT32_MAX);
        EXPECT_EQ(sizes.at("m") & (sizes.at("m") - 1), 0);
    }
}

TEST(LargeSizes, TakeTheOthersLargeWhereElementsCannotBeReachedOtherwise) {
    const task::Task task = task_of("n = { small = 100, large = 65536 }\nm = { small = 64, large = 65536 }", "n * m", "i64");
    const auto all = large_sizes(task, INT64_MAX);
    const bool found = std::any_of(all.begin(), all.end(), [](const task::Sizes& sizes) {
        return sizes.at("m") == 65536 && sizes.at("n") * 65536 >= k2To31 + 512 && sizes.at("n") * 65536 < k2To31 + 512 + 65536;
    });
    EXPECT_TRUE(found);
}

TEST(LargeSizes, KeepTheBoundsOfTheTask) {
    const auto values = values_of(large_sizes(task_of("n = { small = 100, large = 1000, maximum = 1000 }", "n", "i64"), INT64_MAX), "n");
    EXPECT_EQ(values, std::vector<std::int64_t>{1000});
}

TEST(IndexLimit, IsThatOfTheWidestIndex) {
    const auto limit = [](const std::string& source) { return index_limit(task_of("n = 100", "n", "i32", source), ""); };
    EXPECT_EQ(limit("__global__ void k(float* y, int n) { int i = threadIdx.x; if (i < n) y[i] = y[0]; }"), INT32_MAX);
    EXPECT_EQ(limit("__global__ void k(float* y, int n) { unsigned i = threadIdx.x; if (i < n) y[i] = 0; }"), UINT32_MAX);
    EXPECT_EQ(limit("__global__ void k(float* y, int n) { long long i = threadIdx.x; if (i < n) y[i] = 0; }"), INT64_MAX);
    EXPECT_EQ(limit("__global__ void k(float* y, int n) { float* row = y + (size_t)blockIdx.x * n; row[threadIdx.x] = 0; }"), INT64_MAX);
    EXPECT_EQ(limit("this is no source"), INT32_MAX);
}

TEST(SampledBlocks, HoldTheEndsAndTheMarkedElements) {
    const auto blocks = sampled_blocks(1 << 24, k2To32 + 512, 1);
    for (const std::uint64_t block : {0, 1, (1 << 24) - 1, (1 << 24) - 2, 1 << 23}) EXPECT_TRUE(blocks.contains(block)) << block;
    EXPECT_LT(blocks.size(), 20u);
    EXPECT_EQ(sampled_blocks(1, 100, 1), std::set<std::uint64_t>{0});
    EXPECT_EQ(marked_elements(0).size(), 0u);
    EXPECT_EQ(marked_elements(10), (std::vector<std::uint64_t>{0, 5, 9}));
}

TEST(SizesBeyond, AreTheCheapestThatTheTaskAllows) {
    const auto one = sizes_beyond(task_of("n = { small = 100, large = 4096 }", "n", "i64"), k2To31 + 512);
    ASSERT_TRUE(one);
    EXPECT_EQ(one->at("n"), k2To31 + 512);
    const auto product = sizes_beyond(task_of("n = { small = 100, large = 65536 }\nm = { small = 64, large = 65536, power_of_two = true }", "n * m", "i32"), k2To31 + 512);
    ASSERT_TRUE(product);
    EXPECT_GE(product->at("n") * product->at("m"), k2To31 + 512);
    EXPECT_LT(product->at("n") * product->at("m"), k2To31 + 512 + 64);
    EXPECT_FALSE(sizes_beyond(task_of("n = { small = 100, large = 4096 }", "n", "i32"), k2To31 + 512)) << "an int argument cannot say so many";
    EXPECT_FALSE(sizes_beyond(task_of("n = { small = 100, large = 4096 }", "128", "i32"), k2To31 + 512)) << "an extent that no size changes";
}

TEST(OtherShapes, HoldAsManyElementsWithEachSizeInTurnSmall) {
    const task::Task task = task_of("rows = { small = 100, large = 200000 }\nn = { small = 64, large = 16384 }", "rows * n", "i32");
    const auto shapes = other_shapes(task, INT64_MAX, {{"rows", 262145}, {"n", 16384}});
    ASSERT_EQ(shapes.size(), 2u);
    for (const task::Sizes& sizes : shapes) {
        EXPECT_GE(sizes.at("rows") * sizes.at("n"), k2To32 + 512);
        EXPECT_LE(sizes.at("rows"), 8 * 200000 + 512);
        EXPECT_LE(sizes.at("n"), 8 * 16384 + 512);
    }
    EXPECT_EQ(std::min(shapes[0].at("n"), shapes[1].at("n")), 2684);
    EXPECT_TRUE(other_shapes(task, INT64_MAX, {{"rows", 100000}, {"n", 16384}}).empty());
    EXPECT_TRUE(other_shapes(task, INT32_MAX, {{"rows", 262145}, {"n", 16384}}).empty());
}

TEST(OtherShapes, KeepToTheLeastOfASizeWhereTheOthersHoldEnoughByThemselves) {
    const task::Task task = task_of("a = { small = 8, large = 16, minimum = 5 }\nb = { small = 8, large = 16384 }\nn = { small = 8, large = 16384 }",
                                    "a * b * n", "i32");
    const auto shapes = other_shapes(task, INT64_MAX, {{"a", 17}, {"b", 16384}, {"n", 16384}});
    EXPECT_EQ(values_of(shapes, "a"), (std::vector<std::int64_t>{5, 640, 640}));
    EXPECT_EQ(values_of(shapes, "b"), (std::vector<std::int64_t>{131584, 52, 131584}));
}

}  // namespace
}  // namespace optiml::evaluation
