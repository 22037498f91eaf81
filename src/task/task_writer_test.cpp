#include "task/task_writer.h"

#include <gtest/gtest.h>

#include "base/disk.h"

namespace optiml::task {
namespace {

// Task files that together use every key.
const char* const kTaskFiles[] = {
    R"toml(kernel = "relu"
[sizes]
n = { small = 10007, large = "2^28" }
[arguments]
x = { type = "f32", extent = "n" }
y = { type = "f32", extent = "n", role = "output" }
n = "i32"
[launch]
grid = "ceil_div(n, 256)"
block = 256
)toml",
    R"toml(kernel = "sort"
[sizes]
n = { small = 512, large = "2^24", minimum = 2, maximum = "2^30", power_of_two = true }
m = { small = 8, multiple_of = 4 }
[arguments]
keys = { type = "i32", extent = "n", role = "inout", fill = { integers = [0, "n - 1"] } }
w = { type = "f64", extent = "m + 3", fill = { normal = [0.5, 2] }, alignment_offset = 1, special_values = false }
ramp = { type = "f32", extent = "m", fill = { ramp = [1e-3, 0.25] } }
fixed = { type = "f16", extent = "m", fill = { constant = 3 } }
order = { type = "u32", extent = "n", fill = "permutation" }
raw = { type = "u8", extent = "n", fill = { file = "a \"b\".bin" } }
eps = { type = "f32", value = 1e-5 }
nm = { type = "u64", value = "n * m" }
n = "i32"
[launch]
grid = ["ceil_div(n, 256)", "m > 4 ? 2 : 1", 1]
block = 256
dynamic_shared = "4 * m"
arguments = ["keys", "eps", "nm", "j", { value = "2 * k", type = "i64" }, { buffer = "keys", offset = "n / 2" }, "k"]
repeat = [
    { variable = "k", from = 2, while = "k <= n", next = "2 * k", counter = "step" },
    { variable = "j", from = "k / 2", while = "j > 0", next = "j / 2" },
]
)toml",
    R"toml(kernel = "count"
[sizes]
n = 1024
[arguments]
keys = { type = "u32", extent = "n" }
sorted = { type = "u32", extent = "n", role = "output" }
[scratch]
counts = { type = "u32", extent = 256 }
other = { type = "u32", extent = "n" }
[compile]
defines = ["TILE=16"]
include_paths = ["a/b"]
options = ["--maxrregcount=64"]
standard = "c++20"
[checks]
tolerance_factor = 8
absolute = 1e-6
relative = 0
bitwise = true
compare_nan_exactly = false
[allow]
fast_math = true
tf32 = true
reassociation = true
reduced_precision = true
[[launch]]
clear = { buffer = "sorted", value = 255 }
[[launch]]
repeat = { variable = "pass", while = "pass < 4" }
clear = "counts"
steps = [
    { kernel = "count", grid = "ceil_div(n, 256)", block = 256, arguments = ["keys", "counts", { value = "pass" }] },
    { kernel = "scatter", grid = 1, block = 64, arguments = [{ buffers = ["other", "sorted"], select = "pass % 2", offset = 1 }], repeat = { variable = "i", while = "i < 2" } },
]
[[launch]]
grid = 1
block = 1
)toml",
    R"toml(kernel = "sample"
[sizes]
w = 64
[arguments]
plane = { texture = "2d", type = "f32", extent = ["w", "2 * w"] }
faces = { texture = "cube", type = "u8", channels = 4, extent = "w", levels = 2, filter = "linear", level_filter = "linear", normalized = true, address = ["wrap", "mirror"], read = "normalized_float" }
marks = { surface = "2d", type = "u8", channels = 4, extent = ["w", 3], role = "inout" }
y = { type = "f32", extent = "w", role = "output" }
[launch]
grid = 1
block = 64
)toml",
};

TEST(TaskWriter, WhatIsWrittenReadsBackEqual) {
    for (const char* text : kTaskFiles) {
        MemoryDisk disk;
        ASSERT_TRUE(disk.write("dir/task.cu", "__global__ void f() {}"));
        const Result<Task> task = parse_task(text, "dir/task.toml", disk);
        ASSERT_TRUE(task) << task.error().text();
        const std::string written = task_file_text(*task, "task.cu");
        const Result<Task> again = parse_task(written, "dir/other.toml", disk);
        ASSERT_TRUE(again) << again.error().text() << "\n" << written;
        EXPECT_EQ(again->plan.canonical_text(), task->plan.canonical_text()) << written;
        EXPECT_EQ(again->digest(), task->digest()) << written;
    }
}

}  // namespace
}  // namespace optiml::task
