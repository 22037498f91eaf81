#include <algorithm>

#include <gtest/gtest.h>

#include "task/resolved.h"

namespace optiml::task {
namespace {

Task task_of(std::string_view sizes, std::string_view launch) {
    MemoryDisk disk;
    EXPECT_TRUE(disk.write("k.cu", ""));
    const std::string toml = "kernel = \"k\"\n[sizes]\n" + std::string(sizes) +
                             "\n[arguments]\ny = { type = \"f32\", extent = \"n\", role = \"output\" }\nn = \"i32\"\n[launch]\n" +
                             std::string(launch);
    auto task = parse_task(toml, "k.toml", disk);
    EXPECT_TRUE(task) << task.error().text();
    return task ? std::move(*task) : Task{};
}

bool holds(const std::vector<Sizes>& all, const Sizes& sizes) { return std::find(all.begin(), all.end(), sizes) != all.end(); }

TEST(EdgeSizes, BeginWithTheSmallSizesAndSurroundTheBlocks) {
    const Task task = task_of("n = { small = 10007, large = \"2^28\" }", "grid = \"ceil_div(n, 192)\"\nblock = 192");
    const auto sizes = edge_sizes(task, task.plan, 100);
    ASSERT_FALSE(sizes.empty());
    EXPECT_EQ(sizes.front(), (Sizes{{"n", 10007}}));
    for (const std::int64_t n : {0, 1, 2, 3, 4, 5, 37, 63, 64, 65, 191, 192, 193, 385}) EXPECT_TRUE(holds(sizes, {{"n", n}})) << n;
    for (std::size_t i = 0; i < sizes.size(); ++i) EXPECT_EQ(std::count(sizes.begin(), sizes.end(), sizes[i]), 1);
    EXPECT_EQ(edge_sizes(task, task.plan, 5).size(), 5u);
}

TEST(EdgeSizes, FollowTheBlocksOfAnotherPlan) {
    const Task task = task_of("n = { small = 10007, large = \"2^28\" }", "grid = \"ceil_div(n, 256)\"\nblock = 256");
    LaunchPlan plan = task.plan;
    plan.steps[0].launch.block[0] = Expression(320);
    EXPECT_TRUE(holds(edge_sizes(task, plan, 100), {{"n", 321}}));
}

TEST(EdgeSizes, KeepTheBoundsOfTheTask) {
    const Task task = task_of(
        "n = { small = 64, large = 4096, minimum = 8, maximum = 4096, power_of_two = true }\n"
        "m = { small = 12, large = 12, multiple_of = 4, minimum = 4 }",
        "grid = \"m\"\nblock = 32");
    const auto sizes = edge_sizes(task, task.plan, 100);
    EXPECT_GT(sizes.size(), 6u);
    for (const Sizes& choice : sizes) {
        EXPECT_TRUE(check_sizes(task, choice));
        EXPECT_GE(choice.at("n"), 8);
        EXPECT_EQ(choice.at("m") % 4, 0);
    }
    EXPECT_TRUE(holds(sizes, {{"n", 8}, {"m", 4}}));
}

TEST(EdgeSizes, KeepTheWorkSmall) {
    const Task task = task_of("n = { small = 33, large = 4096 }\nm = { small = 65, large = 4096 }\nk = { small = 47, large = 4096 }",
                              "grid = [\"ceil_div(n, 16)\", \"ceil_div(m, 16)\"]\nblock = [16, 16]");
    const auto sizes = edge_sizes(task, task.plan, 100);
    bool varies[3] = {};
    for (const Sizes& choice : sizes) {
        EXPECT_LE(choice.at("n") * choice.at("m") * choice.at("k"), 2 * 33 * 65 * 47);
        varies[0] |= choice.at("n") == 17;
        varies[1] |= choice.at("m") == 257;
        varies[2] |= choice.at("k") == 15;
    }
    EXPECT_TRUE(varies[0] && varies[1] && varies[2]);
}

TEST(EdgeSizes, LeaveOutWhatThePlanCannotResolve) {
    const Task task = task_of("n = { small = 100, large = 1000 }", "grid = \"100 / n\"\nblock = 32");
    for (const Sizes& choice : edge_sizes(task, task.plan, 100)) EXPECT_NE(choice.at("n"), 0);
}

}  // namespace
}  // namespace optiml::task
