#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "task/resolved.h"

namespace optiml::task {
namespace {

constexpr std::uint64_t kElements = 1000;

// A task with one argument x of kElements elements.
Task task_with(ScalarType type, const Fill& fill) {
    Task task;
    task.file = "k/task.toml";
    Argument argument;
    argument.name = "x";
    argument.type = type;
    argument.extent = *Expression::parse("n");
    argument.fill = fill;
    task.arguments.push_back(argument);
    return task;
}

std::vector<double> values_of(const Task& task, ValuePattern pattern, std::uint64_t seed = 0, const Disk& disk = MemoryDisk()) {
    const auto generator = generator_of(task, task.arguments[0], {{"n", kElements}}, pattern, seed, disk);
    EXPECT_TRUE(generator) << generator.error().text();
    const ScalarType type = task.arguments[0].type;
    std::vector<std::uint8_t> bytes(kElements * bytes_of(type));
    if (generator) (*generator)(0, kElements, bytes.data());
    std::vector<double> values;
    for (std::size_t i = 0; i < kElements; ++i) values.push_back(load_float(type, bytes.data() + i * bytes_of(type)));
    return values;
}

Fill fill_of(FillKind kind) {
    Fill fill;
    fill.kind = kind;
    return fill;
}

Fill integers(const char* low, const char* high) {
    Fill fill = fill_of(FillKind::integers);
    fill.low_expression = *Expression::parse(low);
    fill.high_expression = *Expression::parse(high);
    return fill;
}

bool all(const std::vector<double>& values, auto condition) {
    for (const double value : values) {
        if (!condition(value)) return false;
    }
    return true;
}

TEST(Fills, HaveTheDeclaredDistribution) {
    double sum = 0, squares = 0;
    const auto uniform = values_of(task_with(ScalarType::f32, fill_of(FillKind::uniform)), ValuePattern::declared);
    EXPECT_TRUE(all(uniform, [](double v) { return v >= -1 && v < 1; }));
    EXPECT_GT(std::set<double>(uniform.begin(), uniform.end()).size(), 990u);
    const auto normal = values_of(task_with(ScalarType::f64, fill_of(FillKind::normal)), ValuePattern::declared);
    for (const double value : normal) {
        sum += value;
        squares += value * value;
    }
    EXPECT_NEAR(sum / kElements, 0, 0.15);
    EXPECT_NEAR(squares / kElements, 1, 0.2);
    const auto bytes = values_of(task_with(ScalarType::u8, integers("0", "n / 500")), ValuePattern::declared);
    EXPECT_EQ(std::set<double>(bytes.begin(), bytes.end()), (std::set<double>{0, 1, 2}));
    const auto permutation = values_of(task_with(ScalarType::i32, fill_of(FillKind::permutation)), ValuePattern::declared);
    EXPECT_EQ(std::set<double>(permutation.begin(), permutation.end()).size(), kElements);
    EXPECT_TRUE(all(permutation, [](double v) { return v >= 0 && v < kElements; }));
    Fill ramp = fill_of(FillKind::ramp);
    ramp.value = 3;
    ramp.step = -2;
    EXPECT_EQ(values_of(task_with(ScalarType::i16, ramp), ValuePattern::declared)[10], -17);
    Fill constant = fill_of(FillKind::constant);
    constant.value = 0.25;
    EXPECT_TRUE(all(values_of(task_with(ScalarType::f16, constant), ValuePattern::declared), [](double v) { return v == 0.25; }));
}

TEST(Fills, WideIntegersReachTheirBounds) {
    const auto values = values_of(task_with(ScalarType::i64, integers("-9223372036854775808", "9223372036854775807")),
                                  ValuePattern::declared);
    EXPECT_TRUE(std::any_of(values.begin(), values.end(), [](double v) { return v > 4e18; }));
    EXPECT_TRUE(std::any_of(values.begin(), values.end(), [](double v) { return v < -4e18; }));
}

TEST(Fills, FilesAreReadAsElements) {
    MemoryDisk disk;
    std::vector<float> content(kElements);
    for (std::size_t i = 0; i < kElements; ++i) content[i] = static_cast<float>(i) / 4;
    ASSERT_TRUE(disk.write("k/x.bin", {reinterpret_cast<const char*>(content.data()), kElements * 4}));
    Fill fill = fill_of(FillKind::file);
    fill.file = "x.bin";
    const Task task = task_with(ScalarType::f32, fill);
    EXPECT_EQ(values_of(task, ValuePattern::large, 0, disk)[999], 249.75);
    const auto short_file = generator_of(task, task.arguments[0], {{"n", kElements + 1}}, ValuePattern::declared, 0, disk);
    ASSERT_FALSE(short_file);
    EXPECT_NE(short_file.error().message.find("holds 1000 elements of f32, but x needs 1001"), std::string::npos);
    EXPECT_FALSE(generator_of(task, task.arguments[0], {{"n", 1}}, ValuePattern::declared, 0, MemoryDisk()));
}

TEST(Fills, BoundsThatTheTypeCannotHoldAreErrors) {
    const Task task = task_with(ScalarType::u8, integers("0", "n"));
    const auto generator = generator_of(task, task.arguments[0], {{"n", 1000}}, ValuePattern::declared, 0, MemoryDisk());
    ASSERT_FALSE(generator);
    EXPECT_NE(generator.error().message.find("from 0 to 1000, which u8 cannot hold"), std::string::npos);
}

TEST(Patterns, BendFloats) {
    const Task task = task_with(ScalarType::f32, fill_of(FillKind::uniform));
    EXPECT_TRUE(all(values_of(task, ValuePattern::negative), [](double v) { return v <= 0; }));
    EXPECT_TRUE(all(values_of(task, ValuePattern::same_sign), [](double v) { return v >= 0; }));
    EXPECT_TRUE(all(values_of(task, ValuePattern::zeros), [](double v) { return v == 0; }));
    EXPECT_TRUE(all(values_of(task, ValuePattern::large), [](double v) { return std::fabs(v) >= 1e3 && std::fabs(v) <= 1e4; }));
    EXPECT_TRUE(all(values_of(task, ValuePattern::tiny), [](double v) { return std::fabs(v) <= 1e-12; }));
    for (const auto& [pattern, least, most] : {std::tuple(ValuePattern::magnitudes, 1e-6, 1e6), std::tuple(ValuePattern::huge, 1e6, 1e30)}) {
        const auto values = values_of(task, pattern);
        EXPECT_TRUE(all(values, [&](double v) { return std::fabs(v) >= 0.999 * least && std::fabs(v) <= 1.001 * most; }));
        const double middle = std::sqrt(least * most);
        const auto small = std::count_if(values.begin(), values.end(), [&](double v) { return std::fabs(v) < middle; });
        const auto negative = std::count_if(values.begin(), values.end(), [](double v) { return v < 0; });
        for (const auto half : {small, negative}) EXPECT_NEAR(static_cast<double>(half), kElements / 2.0, kElements / 10.0);
    }
    const auto equal = values_of(task, ValuePattern::all_equal);
    EXPECT_TRUE(all(equal, [&](double v) { return v == equal[0] && v != 0; }));
    const auto alternating = values_of(task, ValuePattern::alternating_sign);
    EXPECT_GT(alternating[0], 0);
    EXPECT_LT(alternating[1], 0);
    const auto sorted = values_of(task, ValuePattern::sorted_descending);
    EXPECT_TRUE(std::is_sorted(sorted.rbegin(), sorted.rend()));
    EXPECT_EQ(sorted.front(), 1);
    EXPECT_EQ(sorted.back(), -1);
}

TEST(Patterns, PutSpecialValuesFirstInTheMiddleAndLast) {
    Task task = task_with(ScalarType::f32, fill_of(FillKind::uniform));
    const std::size_t places[] = {0, kElements / 2, kElements - 1};
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
        const auto values = values_of(task, ValuePattern::nan_and_infinity, seed);
        EXPECT_FALSE(std::isfinite(values[places[seed]]));
        const auto special = std::count_if(values.begin(), values.end(), [](double v) { return !std::isfinite(v); });
        EXPECT_GT(special, 3);
        EXPECT_LT(special, 40);
    }
    task.arguments[0].may_contain_special_values = false;
    EXPECT_EQ(values_of(task, ValuePattern::nan_and_infinity), values_of(task, ValuePattern::declared));
}

TEST(Patterns, PutSpecialValuesAtEverySecondElement) {
    Task task = task_with(ScalarType::f32, fill_of(FillKind::uniform));
    const auto values = values_of(task, ValuePattern::often_special);
    const auto special = static_cast<std::size_t>(std::count_if(values.begin(), values.end(), [](double v) { return !std::isfinite(v); }));
    EXPECT_GT(special, kElements * 2 / 5);
    EXPECT_LT(special, kElements * 3 / 5);
    EXPECT_GT(std::count(values.begin(), values.end(), -INFINITY), 10);
    task.arguments[0].may_contain_special_values = false;
    EXPECT_EQ(values_of(task, ValuePattern::often_special), values_of(task, ValuePattern::declared));
}

TEST(Patterns, PutOneNanFirstInTheMiddleOrLast) {
    Task task = task_with(ScalarType::f32, fill_of(FillKind::uniform));
    const std::size_t places[] = {0, kElements / 2, kElements - 1};
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
        const auto values = values_of(task, ValuePattern::one_nan, seed);
        EXPECT_TRUE(std::isnan(values[places[seed]]));
        EXPECT_EQ(std::count_if(values.begin(), values.end(), [](double v) { return !std::isfinite(v); }), 1);
    }
    task.arguments[0].may_contain_special_values = false;
    EXPECT_EQ(values_of(task, ValuePattern::one_nan), values_of(task, ValuePattern::declared));
    EXPECT_TRUE(seeds_of_one_nan(task, 7).empty());
}

TEST(Patterns, PutOneNanIntoOneInputAtATime) {
    Task task = task_with(ScalarType::f32, fill_of(FillKind::uniform));
    EXPECT_EQ(seeds_of_one_nan(task, 7), (std::vector<std::uint64_t>{21, 22, 23}));
    const auto has_nan = [&](std::uint64_t seed) { return !all(values_of(task, ValuePattern::one_nan, seed), [](double v) { return v == v; }); };
    task.arguments.push_back(task.arguments[0]);
    task.arguments[1].name = "second";
    const auto seeds = seeds_of_one_nan(task, 7);
    ASSERT_EQ(seeds.size(), 6u);
    EXPECT_EQ(std::count_if(seeds.begin(), seeds.end(), has_nan), 3);
    task.arguments.push_back(task.arguments[0]);
    task.arguments[2].name = "third";
    EXPECT_EQ(seeds_of_one_nan(task, 7).size(), 3u);
}

TEST(Patterns, AreNothingButInfinityOfASignThatTheRangeHas) {
    Task task = task_with(ScalarType::f32, fill_of(FillKind::uniform));
    EXPECT_EQ(patterns_of_infinity(task), (std::vector<ValuePattern>{ValuePattern::minus_infinity, ValuePattern::plus_infinity}));
    EXPECT_TRUE(all(values_of(task, ValuePattern::minus_infinity), [](double v) { return v == -INFINITY; }));
    EXPECT_TRUE(all(values_of(task, ValuePattern::plus_infinity), [](double v) { return v == INFINITY; }));
    task.arguments[0].fill.low = 0;
    EXPECT_EQ(patterns_of_infinity(task), std::vector<ValuePattern>{ValuePattern::plus_infinity});
    EXPECT_EQ(values_of(task, ValuePattern::minus_infinity), values_of(task, ValuePattern::declared));
    task.arguments[0].may_contain_special_values = false;
    EXPECT_TRUE(patterns_of_infinity(task).empty());
    EXPECT_EQ(values_of(task, ValuePattern::plus_infinity), values_of(task, ValuePattern::declared));
}

TEST(Patterns, HaveZerosOfBothSignsWhereTheRangeHas) {
    const auto negative_zeros = [](const std::vector<double>& values) {
        return std::count_if(values.begin(), values.end(), [](double v) { return v == 0 && std::signbit(v); });
    };
    const auto both = values_of(task_with(ScalarType::f32, fill_of(FillKind::uniform)), ValuePattern::zeros);
    EXPECT_TRUE(all(both, [](double v) { return v == 0; }));
    EXPECT_GT(negative_zeros(both), 10);
    EXPECT_LT(negative_zeros(both), static_cast<std::ptrdiff_t>(both.size()) - 10);
    Fill positive = fill_of(FillKind::uniform);
    positive.low = 0;
    EXPECT_EQ(negative_zeros(values_of(task_with(ScalarType::f32, positive), ValuePattern::zeros)), 0);
}

TEST(Patterns, KeepTheSignsOfTheDeclaredRange) {
    Fill positive = fill_of(FillKind::uniform);
    positive.low = 0.5;
    positive.high = 2;
    const Task task = task_with(ScalarType::f64, positive);
    for (int pattern = 0; pattern < kValuePatterns; ++pattern) {
        EXPECT_TRUE(all(values_of(task, static_cast<ValuePattern>(pattern)), [](double v) { return !(v <= 0) || std::isinf(v); }))
            << name_of(static_cast<ValuePattern>(pattern));
    }
}

TEST(Patterns, KeepIntegersInsideTheirBounds) {
    for (const Fill& fill : {integers("-5", "900"), integers("7", "7"), integers("0", "n - 1")}) {
        const Task task = task_with(ScalarType::i32, fill);
        const auto low = static_cast<double>(*fill.low_expression->evaluate({{"n", kElements}}));
        const auto high = static_cast<double>(*fill.high_expression->evaluate({{"n", kElements}}));
        for (int pattern = 0; pattern < kValuePatterns; ++pattern) {
            EXPECT_TRUE(all(values_of(task, static_cast<ValuePattern>(pattern)), [&](double v) { return v >= low && v <= high; }));
        }
    }
    const Task task = task_with(ScalarType::i32, integers("-5", "900"));
    EXPECT_TRUE(all(values_of(task, ValuePattern::negative), [](double v) { return v < 0; }));
    EXPECT_TRUE(all(values_of(task, ValuePattern::large), [](double v) { return v > 850; }));
    const auto equal = values_of(task, ValuePattern::all_equal);
    EXPECT_TRUE(all(equal, [&](double v) { return v == equal[0]; }));
}

TEST(Patterns, WidenIntegersOfWhichTheTaskSaysNothing) {
    for (const auto& [type, most] : {std::pair(ScalarType::i32, 1048575.0), std::pair(ScalarType::i16, 32767.0), std::pair(ScalarType::u8, 255.0)}) {
        Fill fill = type == ScalarType::u8 ? integers("0", "100") : integers("-100", "100");
        fill.is_default = true;
        const auto values = values_of(task_with(type, fill), ValuePattern::magnitudes);
        const auto [low, high] = std::minmax_element(values.begin(), values.end());
        EXPECT_GT(*high, most / 2);
        EXPECT_LE(*high, most);
        if (type == ScalarType::u8) EXPECT_GE(*low, 0);
        else EXPECT_LT(*low, -most / 2);
    }
}

TEST(Patterns, LeaveStructureAlone) {
    Fill ramp = fill_of(FillKind::ramp);
    for (const Task& task : {task_with(ScalarType::i32, ramp), task_with(ScalarType::i32, fill_of(FillKind::permutation))}) {
        for (int pattern = 0; pattern < kValuePatterns; ++pattern) {
            EXPECT_EQ(values_of(task, static_cast<ValuePattern>(pattern)), values_of(task, ValuePattern::declared));
        }
    }
}

TEST(Generators, AreSeekableAndSeeded) {
    EXPECT_TRUE(rc::check([] {
        const auto type = static_cast<ScalarType>(*rc::gen::inRange(0, 12));
        const Fill fill = is_float(type) ? fill_of(*rc::gen::element(FillKind::uniform, FillKind::normal, FillKind::ramp))
                                         : integers("0", "100");
        const Task task = task_with(type, fill);
        const auto pattern = static_cast<ValuePattern>(*rc::gen::inRange(0, kValuePatterns));
        const auto seed = static_cast<std::uint64_t>(*rc::gen::inRange(0, 5));
        const auto generator = generator_of(task, task.arguments[0], {{"n", kElements}}, pattern, seed, MemoryDisk());
        RC_ASSERT(generator.has_value());
        const std::uint32_t size = bytes_of(type);
        std::vector<std::uint8_t> whole(kElements * size), part(kElements * size);
        (*generator)(0, kElements, whole.data());
        const auto first = static_cast<std::uint64_t>(*rc::gen::inRange(0, 1000));
        const auto count = static_cast<std::uint64_t>(*rc::gen::inRange(0, 1000)) % (kElements - first + 1);
        (*generator)(first, count, part.data());
        RC_ASSERT(std::memcmp(part.data(), whole.data() + first * size, count * size) == 0);
    }));
    const Task task = task_with(ScalarType::f32, fill_of(FillKind::uniform));
    EXPECT_NE(values_of(task, ValuePattern::declared, 0), values_of(task, ValuePattern::declared, 1));
}

}  // namespace
}  // namespace optiml::task
