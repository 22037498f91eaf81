#include <gtest/gtest.h>

#include "task/resolved.h"

namespace optiml::task {
namespace {

Task task_of(std::string_view toml) {
    MemoryDisk disk;
    EXPECT_TRUE(disk.write("k.cu", ""));
    auto task = parse_task(toml, "k.toml", disk);
    EXPECT_TRUE(task) << task.error().text();
    return task ? std::move(*task) : Task{};
}

std::int64_t integer(const ResolvedArgument& argument) {
    return load_integer(argument.bytes.size() == 8 ? ScalarType::i64 : ScalarType::i32, argument.bytes.data());
}

// "kernel(x, 1)" or "clear y", with buffers by name and scalars by value.
std::string text_of(const ResolvedPlan& plan, const ResolvedStep& step) {
    if (step.is_clear) return "clear " + plan.buffers[step.buffer].name;
    std::string text = step.kernel + "(";
    for (std::size_t i = 0; i < step.arguments.size(); ++i) {
        const ResolvedArgument& argument = step.arguments[i];
        text += i == 0 ? "" : ", ";
        text += argument.is_buffer ? plan.buffers[argument.buffer].name : std::to_string(integer(argument));
    }
    return text + ")";
}

std::vector<std::string> steps_of(const Task& task, const Sizes& sizes) {
    const auto plan = resolve(task, task.plan, sizes);
    EXPECT_TRUE(plan) << plan.error().text();
    std::vector<std::string> steps;
    if (plan) {
        for (const ResolvedStep& step : plan->steps) steps.push_back(text_of(*plan, step));
    }
    return steps;
}

TEST(Resolve, GivesBuffersAndLaunches) {
    const Task task = task_of(R"toml(
kernel = "k"
[sizes]
n = { small = 1000, large = 5000 }
[arguments]
x = { type = "f32", extent = "n", alignment_offset = 3 }
y = { type = "u8", extent = "2 * n", role = "inout" }
n = "i64"
eps = { type = "f32", value = 0.5 }
[scratch]
partial = { type = "f64", extent = "ceil_div(n, 256)" }
[launch]
grid = ["ceil_div(n, 256)", 2]
block = [32, 8]
dynamic_shared = "4 * n"
arguments = ["x", { buffer = "y", offset = "n" }, "partial", "n", "eps", "n / 2", { value = "n * 2^40", type = "u64" }, 7]
)toml");
    const auto plan = resolve(task, task.plan, {{"n", 1000}});
    ASSERT_TRUE(plan) << plan.error().text();
    ASSERT_EQ(plan->buffers.size(), 3u);
    EXPECT_EQ(plan->buffers[0].elements, 1000u);
    EXPECT_EQ(plan->buffers[0].misalignment, 12u);
    EXPECT_EQ(plan->buffers[1].elements, 2000u);
    EXPECT_EQ(plan->buffers[1].role, Role::inout);
    EXPECT_TRUE(plan->buffers[2].is_scratch);
    EXPECT_EQ(plan->buffers[2].elements, 4u);
    ASSERT_EQ(plan->steps.size(), 1u);
    const ResolvedStep& step = plan->steps[0];
    EXPECT_EQ(step.grid, (std::array<std::uint64_t, 3>{4, 2, 1}));
    EXPECT_EQ(step.block, (std::array<std::uint64_t, 3>{32, 8, 1}));
    EXPECT_EQ(step.dynamic_shared, 4000u);
    ASSERT_EQ(step.arguments.size(), 8u);
    EXPECT_EQ(step.arguments[1].byte_offset, 1000);
    EXPECT_EQ(step.arguments[2].buffer, 2u);
    EXPECT_EQ(step.arguments[3].bytes.size(), 8u);
    EXPECT_EQ(load_float(ScalarType::f32, step.arguments[4].bytes.data()), 0.5);
    EXPECT_EQ(integer(step.arguments[5]), 500);
    EXPECT_EQ(integer(step.arguments[6]), 1000ll << 40);
    EXPECT_EQ(integer(step.arguments[7]), 7);
}

TEST(Resolve, HillisSteeleAlternatesItsBuffers) {
    const Task task = task_of(R"toml(
kernel = "scan_step"
[sizes]
n = { small = 1031, large = "2^26", minimum = 1 }
[arguments]
x = { type = "f32", extent = "n" }
y = { type = "f32", extent = "n", role = "output" }
[scratch]
other = { type = "f32", extent = "n" }
[launch]
grid = "ceil_div(n, 256)"
block = 256
arguments = [
    { buffers = ["x", "other", "y"], select = "step == 0 ? 0 : 1 + (log2_ceil(n) - step + 1) % 2" },
    { buffers = ["other", "y"], select = "(max(1, log2_ceil(n)) - step) % 2" },
    "offset",
]
repeat = { variable = "offset", from = 1, while = "offset == 1 || offset < n", next = "2 * offset", counter = "step" }
)toml");
    EXPECT_EQ(steps_of(task, {{"n", 1}}), (std::vector<std::string>{"scan_step(x, y, 1)"}));
    EXPECT_EQ(steps_of(task, {{"n", 2}}), (std::vector<std::string>{"scan_step(x, y, 1)"}));
    EXPECT_EQ(steps_of(task, {{"n", 3}}), (std::vector<std::string>{"scan_step(x, other, 1)", "scan_step(other, y, 2)"}));
    EXPECT_EQ(steps_of(task, {{"n", 8}}),
              (std::vector<std::string>{"scan_step(x, y, 1)", "scan_step(y, other, 2)", "scan_step(other, y, 4)"}));
    EXPECT_EQ(steps_of(task, {{"n", 1 << 26}}).size(), 26u);
}

TEST(Resolve, BitonicSortNestsItsLoops) {
    const Task task = task_of(R"toml(
kernel = "bitonic_step"
[sizes]
n = { small = 512, large = "2^24", power_of_two = true }
[arguments]
keys = { type = "i32", extent = "n", role = "inout" }
[launch]
grid = "ceil_div(n, 256)"
block = 256
arguments = ["keys", "j", "k"]
repeat = [
    { variable = "k", from = 2, while = "k <= n", next = "2 * k" },
    { variable = "j", from = "k / 2", while = "j > 0", next = "j / 2" },
]
)toml");
    EXPECT_EQ(steps_of(task, {{"n", 8}}),
              (std::vector<std::string>{"bitonic_step(keys, 1, 2)", "bitonic_step(keys, 2, 4)", "bitonic_step(keys, 1, 4)",
                                        "bitonic_step(keys, 4, 8)", "bitonic_step(keys, 2, 8)", "bitonic_step(keys, 1, 8)"}));
    EXPECT_EQ(steps_of(task, {{"n", 1 << 24}}).size(), 300u);
    EXPECT_TRUE(steps_of(task, {{"n", 1}}).empty());
}

TEST(Resolve, StepsOfOneLoopTakeTurns) {
    const Task task = task_of(R"toml(
kernel = "a"
[sizes]
n = 3
[arguments]
x = { type = "f32", extent = "n", role = "inout" }
[[launch]]
clear = "x"
[[launch]]
repeat = { variable = "i", while = "i < 2" }
clear = "x"
steps = [
    { kernel = "a", grid = 1, block = 1, arguments = ["i"] },
    { kernel = "b", grid = 1, block = 1, arguments = ["i", "j"], repeat = { variable = "j", while = "j < 2" } },
    { kernel = "c", grid = 1, block = 1, arguments = ["i", "j"], repeat = { variable = "j", while = "j < 2" } },
]
[[launch]]
kernel = "a"
grid = 1
block = 1
arguments = ["i"]
repeat = { variable = "i", while = "i < 2" }
)toml");
    EXPECT_EQ(steps_of(task, {{"n", 3}}),
              (std::vector<std::string>{"clear x",                                                             //
                                        "clear x", "a(0)", "b(0, 0)", "b(0, 1)", "c(0, 0)", "c(0, 1)",        //
                                        "clear x", "a(1)", "b(1, 0)", "b(1, 1)", "c(1, 0)", "c(1, 1)",        //
                                        "a(0)", "a(1)"}));
}

TEST(Resolve, ReportsWhatDoesNotWorkOutAtTheseSizes) {
    const Task task = task_of(R"toml(
kernel = "k"
[sizes]
n = 4
m = 0
[arguments]
x = { type = "f32", extent = "n", role = "output" }
n = "i32"
[launch]
grid = "ceil_div(n, 256 - m)"
block = "256 - m"
arguments = [{ buffer = "x", offset = "m" }, "n", { buffers = ["x", "x"], select = "m" }]
)toml");
    const auto message = [&](const Sizes& sizes) {
        const auto plan = resolve(task, task.plan, sizes);
        return plan ? std::string("fine") : plan.error().text();
    };
    EXPECT_EQ(message({{"n", 4}, {"m", 0}}), "fine");
    EXPECT_NE(message({{"n", 4}, {"m", 256}}).find("k.toml:10:9: the expression \"ceil_div(n, 256 - m)\" divides by zero"),
              std::string::npos);
    EXPECT_NE(message({{"n", 4}, {"m", 300}}).find("block of k is negative (-44)"), std::string::npos);
    EXPECT_NE(message({{"n", 4}, {"m", 5}}).find("the offset 5 is past the end of x (4 elements)"), std::string::npos);
    EXPECT_NE(message({{"n", 9}, {"m", 2}}).find("the selector is 2, but there are 2 buffers"), std::string::npos);
    EXPECT_NE(message({{"n", 1ll << 31}, {"m", 0}}).find("argument n is 2147483648, which i32 cannot hold"), std::string::npos);
    EXPECT_NE(message({{"n", 4}}).find("'m', which is no size"), std::string::npos);
}

}  // namespace
}  // namespace optiml::task
