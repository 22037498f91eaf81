#include <gtest/gtest.h>

#include "base/text.h"
#include "task/candidate.h"
#include "task/task.h"

namespace optiml::task {
namespace {

constexpr std::string_view kRelu = R"toml(kernel = "relu"

[sizes]
n = { small = 10007, large = "2^28" }

[arguments]
x = { type = "f32", extent = "n" }
y = { type = "f32", extent = "n", role = "output" }
n = "i32"

[launch]
grid = "ceil_div(n, 256)"
block = 256
)toml";

Result<Task> parse(std::string_view toml) {
    MemoryDisk disk;
    EXPECT_TRUE(disk.write("k/relu.cu", "__global__ void relu(const float* x, float* y, int n) {}\n"));
    return parse_task(toml, "k/relu.toml", disk);
}

// kRelu with one part replaced.
std::string with(std::string_view from, std::string_view to) {
    std::string text(kRelu);
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

TEST(TaskFile, ASimpleKernelNeedsTwelveLines) {
    const auto task = parse(kRelu);
    ASSERT_TRUE(task) << task.error().text();
    EXPECT_EQ(task->name, "relu");
    EXPECT_EQ(task->kernel, "relu");
    EXPECT_EQ(task->source_file, "k/relu.cu");
    EXPECT_NE(task->source.find("__global__"), std::string::npos);
    EXPECT_EQ(task->small_sizes(), (Sizes{{"n", 10007}}));
    EXPECT_EQ(task->large_sizes(), (Sizes{{"n", INT64_C(1) << 28}}));
    ASSERT_EQ(task->arguments.size(), 3u);
    EXPECT_EQ(task->arguments[0].name, "x");
    EXPECT_EQ(task->arguments[0].role, Role::input);
    EXPECT_EQ(task->arguments[1].role, Role::output);
    EXPECT_EQ(task->arguments[2].role, Role::scalar);
    EXPECT_EQ(task->arguments[2].value.text(), "n");
    ASSERT_EQ(task->plan.steps.size(), 1u);
    const Launch& launch = task->plan.steps[0].launch;
    EXPECT_EQ(launch.kernel, "relu");
    EXPECT_EQ(launch.grid[0].text(), "ceil_div(n, 256)");
    EXPECT_EQ(launch.block[0].text(), "256");
    EXPECT_EQ(launch.block[1].text(), "1");
    ASSERT_EQ(launch.arguments.size(), 3u);
    EXPECT_EQ(launch.arguments[0].buffers, std::vector<std::string>{"x"});
    EXPECT_EQ(launch.arguments[2].scalar_argument, "n");
}

TEST(TaskFile, ReadsEveryOption) {
    MemoryDisk disk;
    ASSERT_TRUE(disk.write("k/other.cu", "source"));
    const auto task = parse_task(R"toml(
source = "other.cu"
kernel = "scale<float, 4>"
[sizes]
n = { small = 8, large = 4096, minimum = 4, maximum = "2^40", multiple_of = 4, power_of_two = true }
m = 3
[arguments]
a = { type = "__half", extent = "n * m", fill = { normal = [0.5, 2] }, alignment_offset = 3, special_values = false }
b = { type = "u8", extent = "n", fill = { integers = [0, "m - 1"] } }
c = { type = "f64", extent = "n", role = "inout", fill = { constant = 1.5 } }
d = { type = "i32", extent = "n", fill = "permutation" }
e = { type = "f32", extent = "n", fill = { ramp = [1, -0.5] } }
f = { type = "f32", extent = "n", fill = { file = "f.bin" } }
g = { type = "i64", extent = 5 }
eps = { type = "f32", value = 1e-5 }
twice = { type = "u64", value = "2 * n" }
[scratch]
partial = { type = "f64", extent = "ceil_div(n, 32)" }
[launch]
grid = ["n", "m", 2]
block = [32, 2]
dynamic_shared = "4 * n"
clear = ["partial", "c"]
[compile]
defines = ["TILE=16"]
include_paths = "include"
options = ["--maxrregcount=64"]
standard = "c++20"
[checks]
tolerance_factor = 8
absolute = 1e-6
relative = 1e-4
bitwise = true
compare_nan_exactly = false
[allow]
fast_math = true
tf32 = true
reassociation = true
reduced_precision = true
)toml",
                                 "k/relu.toml", disk);
    ASSERT_TRUE(task) << task.error().text();
    EXPECT_EQ(task->source, "source");
    const NamedSize& n = task->sizes[0];
    EXPECT_EQ(n.name, "n");
    EXPECT_EQ(n.minimum, 4);
    EXPECT_EQ(n.maximum, INT64_C(1) << 40);
    EXPECT_EQ(n.multiple_of.text(), "4");
    EXPECT_TRUE(n.power_of_two);
    EXPECT_EQ(task->sizes[1].large_value, 3);
    const Argument& a = *task->find_argument("a");
    EXPECT_EQ(a.type, ScalarType::f16);
    EXPECT_EQ(a.fill.kind, FillKind::normal);
    EXPECT_EQ(a.fill.deviation, 2);
    EXPECT_EQ(a.alignment_offset.text(), "3");
    EXPECT_FALSE(a.may_contain_special_values);
    EXPECT_EQ(task->find_argument("b")->fill.high_expression->text(), "m - 1");
    EXPECT_EQ(task->find_argument("c")->role, Role::inout);
    EXPECT_EQ(task->find_argument("c")->fill.value, 1.5);
    EXPECT_EQ(task->find_argument("d")->fill.kind, FillKind::permutation);
    EXPECT_EQ(task->find_argument("e")->fill.step, -0.5);
    EXPECT_EQ(task->find_argument("f")->fill.file, "f.bin");
    EXPECT_EQ(task->find_argument("g")->fill.kind, FillKind::integers);  // the default for integers
    EXPECT_EQ(task->find_argument("eps")->float_value, 1e-5);
    EXPECT_EQ(task->find_argument("twice")->type, ScalarType::u64);
    EXPECT_EQ(task->plan.scratch[0].type, ScalarType::f64);
    ASSERT_EQ(task->plan.steps.size(), 3u);
    EXPECT_EQ(task->plan.steps[0].clear.buffer, "partial");
    EXPECT_EQ(task->plan.steps[1].clear.buffer, "c");
    EXPECT_EQ(task->plan.steps[2].launch.grid[2].text(), "2");
    EXPECT_EQ(task->plan.steps[2].launch.arguments.size(), 9u);
    EXPECT_EQ(task->compile.include_paths, std::vector<std::string>{"include"});
    EXPECT_EQ(task->compile.extra, std::vector<std::string>{"--maxrregcount=64"});
    EXPECT_EQ(task->compile.standard, "c++20");
    EXPECT_EQ(task->checks.tolerance_factor, 8);
    EXPECT_EQ(task->checks.relative, 1e-4);
    EXPECT_TRUE(task->checks.bitwise);
    EXPECT_FALSE(task->checks.compare_nan_exactly);
    EXPECT_TRUE(task->allowances.fast_math && task->allowances.tf32 && task->allowances.reassociation &&
                task->allowances.reduced_precision);
}

// Where the error is: at the '@' of `to`, or where line and column say.
struct BadFile {
    const char* from;  // replaced in kRelu
    const char* to;
    const char* message;
    const char* remedy;  // a part of each
    std::uint32_t line = 0;
    std::uint32_t column = 0;
};

SourceLocation place_of(const BadFile& bad, std::string& text) {
    const std::size_t mark = text.find('@');
    if (mark == std::string::npos) return {"k/relu.toml", bad.line, bad.column};
    text.erase(mark, 1);
    const LineMap map(text);
    const auto offset = static_cast<std::uint32_t>(mark);
    return {"k/relu.toml", map.line(offset), map.column(offset)};
}

class TaskFileError : public testing::TestWithParam<BadFile> {};

TEST_P(TaskFileError, NamesPlaceAndRemedy) {
    const BadFile& bad = GetParam();
    std::string text = with(bad.from, bad.to);
    const SourceLocation place = place_of(bad, text);
    const auto task = parse(text);
    ASSERT_FALSE(task);
    const Error& error = task.error();
    EXPECT_EQ(error.kind, ErrorKind::user);
    EXPECT_EQ(error.where, place) << error.text() << "\nexpected at " << place.line << ":" << place.column;
    EXPECT_NE(error.message.find(bad.message), std::string::npos) << error.text();
    EXPECT_NE(error.remedy.find(bad.remedy), std::string::npos) << error.text();
    EXPECT_FALSE(error.remedy.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Table, TaskFileError,
    testing::Values(
        BadFile{"[sizes]", "[sizes@", "", "Correct the TOML"},
        BadFile{"kernel = \"relu\"", "@kernl = \"relu\"", "unknown key 'kernl'", "'kernel'"},
        BadFile{"kernel = \"relu\"", "", "names no kernel", "kernel = ", 1, 1},
        BadFile{"kernel = \"relu\"", "kernel = \"relu\"\n@kernels = 3", "unknown key 'kernels'", "'kernel'"},
        BadFile{"kernel = \"relu\"", "kernel = @3", "an integer, not a string", "quotes"},
        BadFile{"kernel = \"relu\"", "@kernel = \"relu\"\nsource = \"x.cu\"", "cannot read k/x.cu", "'source'"},
        BadFile{"{ small = 10007", "@{ smal = 10007", "no small value", "small ="},
        BadFile{"small = 10007", "small = 10007, @lage = 3", "unknown key 'lage'", "'large'"},
        BadFile{"\"2^28\"", "\"2^@n\"", "'n', which is no size", "no sizes"},
        BadFile{"\"2^28\"", "\"2@^63\"", "overflows 64 bits", "smaller"},
        BadFile{"{ small = 10007", "@{ small = -1", "outside the task's bounds (at the small sizes)", "at least 0"},
        BadFile{"{ small = 10007", "@{ multiple_of = 3, small = 10007", "10007 is not a multiple of 3", "multiple_of"},
        BadFile{"{ small = 10007", "@{ power_of_two = true, small = 10007", "not a power of two", "power_of_two"},
        BadFile{"[arguments]", "[@argument]", "unknown key 'argument'", "'arguments'"},
        BadFile{"[arguments]", "[other]", "no [arguments]", "one a line", 1, 1},
        BadFile{"x = { type = \"f32\"", "x = { type = @\"f31\"", "unknown type 'f31'", "'f32'"},
        BadFile{"x = { type = \"f32\"", "x = @{ typ = \"f32\"", "has no type", "type ="},
        BadFile{"role = \"output\"", "role = @\"outptu\"", "unknown role 'outptu'", "'output'"},
        BadFile{"role = \"output\"", "role = \"input\"", "no argument is an output", "role ="},
        BadFile{"role = \"output\"", "role = \"output\", fill = @\"uniform\"", "output and has a fill", "inout"},
        BadFile{"extent = \"n\" }", "extent = \"n\", fill = @\"unifrom\" }", "unknown fill 'unifrom'", "'uniform'"},
        BadFile{"extent = \"n\" }", "extent = \"n\", fill = { uniform = @[1, 1] } }", "empty range", "[LOW, HIGH]"},
        BadFile{"extent = \"n\" }", "extent = \"n\", fill = { uniform = @1 } }", "not a pair", "[FIRST, SECOND]"},
        BadFile{"extent = \"n\" }", "extent = \"n\", fill = { @const = 1 } }", "unknown key 'const'", "'constant'"},
        BadFile{"extent = \"n\" }", "extent = \"n\", fill = @\"constant\" }", "needs values", "constant = VALUE"},
        BadFile{"extent = \"n\" }", "extent = \"@m + 1\" }", "'m', which is no size", "sizes: n"},
        BadFile{"extent = \"n\" }", "extent = \"2^61 @* n\" }", "overflows 64 bits", "smaller"},
        BadFile{"extent = \"n\" }", "extent = \"@2^45\" }", "a buffer may have 512 GiB", "smaller"},
        BadFile{"extent = \"n\" }", "extent = \"@n - 20000\" }", "is negative", "0 or more"},
        BadFile{"extent = \"n\" }", "extent = \"n\", alignment_offset = @64 }", "256 bytes or more", "255"},
        BadFile{"extent = \"n\" }", "extent = @true }", "a boolean, not an expression", "ceil_div"},
        BadFile{"n = \"i32\"", "m = @\"i32\"", "no size has its name", "value ="},
        BadFile{"n = \"i32\"", "n = @\"f32\"", "has no value", "value = NUMBER"},
        BadFile{"n = \"i32\"", "eps = @{ type = \"f32\" }", "has no value", "1e-5"},
        BadFile{"n = \"i32\"", "n = { type = \"i16\", value = \"@n\" }", "which i16 cannot hold", "wider type"},
        BadFile{"n = \"i32\"", "n = @{ type = \"f32\", extent = \"n\" }", "both a size and a buffer", "Rename"},
        BadFile{"[launch]", "[@lanch]", "unknown key 'lanch'", "'launch'"},
        BadFile{"[launch]", "[run]", "no [launch]", "grid and block", 1, 1},
        BadFile{"[launch]\ngrid = ", "[launch]\n@gird = ", "unknown key 'gird'", "'grid'"},
        BadFile{"block = 256", "@blocks = 256", "unknown key 'blocks'", "'block'"},
        BadFile{"[launch]\ngrid = ", "@[launch]\ndynamic_shared = ", "has no grid", "grid ="},
        BadFile{"block = 256", "block = 256\n@blocks = 3", "unknown key 'blocks'", "'block'"},
        BadFile{"block = 256", "block = @[1, 2, 3, 4]", "4 extents", "one to three"},
        BadFile{"block = 256", "block = \"@-n\"", "block of relu is negative", "0 or more"},
        BadFile{"block = 256", "block = 256\nclear = @\"z\"", "'z', which is no buffer", "x, y"},
        BadFile{"block = 256", "block = 256\narguments = [@{ buffers = [\"x\", \"y\"] }]", "no 'select'", "step % 2"},
        BadFile{"block = 256", "block = 256\narguments = [\"x\", \"@xx\"]", "'xx', which is no size", "sizes"},
        BadFile{"[launch]\n", "@[launch]\nkernel = \"other\"\n", "lists no arguments", "arguments ="},
        BadFile{"block = 256", "block = 256\nrepeat = { variable = \"n\", while = \"@n < 3\" }", "'n' is no name, or is taken",
                "of its own"},
        BadFile{"block = 256", "block = 256\nrepeat = { variable = \"i\", while = \"@1\" }", "runs over 1000000 steps", "'while'"},
        BadFile{"block = 256", "block = 256\n@[checks]\ntolerance_factor = 0.5", "below 1", "1 or more"},
        BadFile{"block = 256", "block = 256\n[allow]\n@fastmath = true", "unknown key 'fastmath'", "'fast_math'"}));

TEST(TaskFile, AMissingSourceIsNamed) {
    const auto task = parse_task(kRelu, "k/relu.toml", MemoryDisk());
    ASSERT_FALSE(task);
    EXPECT_NE(task.error().message.find("k/relu.cu"), std::string::npos);
    EXPECT_NE(task.error().remedy.find("source ="), std::string::npos);
}

TEST(Overrides, AreCheckedAgainstTheTask) {
    const auto task = parse(with("\"2^28\" }", "\"2^28\", minimum = 2, maximum = \"2^28\" }"));
    ASSERT_TRUE(task) << task.error().text();
    EXPECT_EQ(with_overrides(*task, task->small_sizes(), {{"n", 77}}).value(), (Sizes{{"n", 77}}));
    EXPECT_EQ(with_overrides(*task, task->small_sizes(), {}).value(), (Sizes{{"n", 10007}}));
    EXPECT_EQ(with_overrides(*task, task->small_sizes(), {{"N", 77}}).error().message, "the task has no size N");
    EXPECT_EQ(with_overrides(*task, task->small_sizes(), {{"n", 1}}).error().remedy, "Choose a value from 2 to 268435456.");
}

TEST(Digests, ChangeWithWhatDecidesAnEvaluation) {
    const Task task = *parse(kRelu);
    EXPECT_EQ(parse(with("\"2^28\"", "268435456"))->digest(), task.digest());
    EXPECT_EQ(parse(with("ceil_div(n, 256)", "ceil_div( n,256)"))->digest(), task.digest());
    for (const auto& [from, to] : std::vector<std::pair<const char*, const char*>>{
             {"10007", "10009"}, {"extent = \"n\" }", "extent = \"n + 1\" }"}, {"extent = \"n\" }", "extent = \"n\", fill = \"ramp\" }"},
             {"block = 256", "block = 128"}, {"block = 256", "block = 256\n[allow]\ntf32 = true"},
             {"block = 256", "block = 256\n[checks]\nrelative = 0.1"}, {"block = 256", "block = 256\n[compile]\ndefines = \"A\""}}) {
        EXPECT_NE(parse(with(from, to))->digest(), task.digest()) << to;
    }
}

TEST(Digests, OfCandidatesIgnoreTheWayTheyCameAbout) {
    const Task task = *parse(kRelu);
    Candidate candidate = original_of(task);
    EXPECT_EQ(candidate.source, task.source);
    Candidate edited = candidate;
    edited.edits.push_back({"unroll", "catalogue", {}, "", ""});
    EXPECT_EQ(edited.digest(), candidate.digest());
    edited.source += " ";
    EXPECT_NE(edited.digest(), candidate.digest());
    edited = candidate;
    edited.compile.defines.push_back("A=1");
    EXPECT_NE(edited.digest(), candidate.digest());
    edited = candidate;
    edited.plan.steps[0].launch.dynamic_shared = Expression(4);
    EXPECT_NE(edited.digest(), candidate.digest());
}

}  // namespace
}  // namespace optiml::task
