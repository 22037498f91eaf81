#include <algorithm>
#include <functional>
#include <numeric>

#include <gtest/gtest.h>

#include "emulator/launch_kit.h"

namespace optiml::emulator {
namespace {

using Buffer = LaunchKit::Buffer;

std::vector<float> ones(std::size_t count) { return std::vector<float>(count, 1.0f); }

struct Expected {
    FindingKind kind = FindingKind::uninitialized;
    std::uint32_t line = 0;
    std::uint32_t other_line = 0;
    std::uint32_t thread = 0;
    std::uint64_t address = 0;
    std::uint64_t occurrences = 0;
    std::string buffer;
};

void expect_one(const LaunchResult& result, const Expected& expected) {
    ASSERT_EQ(result.findings.size(), 1u) << describe(result);
    const Finding& finding = result.findings[0];
    EXPECT_EQ(finding.kind, expected.kind);
    EXPECT_EQ(finding.line, expected.line);
    EXPECT_EQ(finding.other_line, expected.other_line);
    EXPECT_EQ(finding.thread[0], expected.thread);
    EXPECT_EQ(finding.address, expected.address);
    EXPECT_EQ(finding.occurrences, expected.occurrences);
    EXPECT_EQ(finding.buffer, expected.buffer);
    EXPECT_TRUE(result.completed);
}

class Uninitialized : public testing::Test {
protected:
    LaunchKit kit = LaunchKit::from_file("uninitialized");

    LaunchResult run(const std::string& kernel, BufferId first, BufferId second, std::uint32_t threads = 64) {
        return kit.run(kernel, {1}, {threads}, Buffer{first}, Buffer{second});
    }
};

TEST_F(Uninitialized, AccumulatorThatNobodyCleared) {
    const BufferId x = kit.input("x", ones(64));
    const BufferId y = kit.output<float>("y", 64);
    expect_one(run("stale_accumulator", y, x), {.line = 4, .other_line = 4, .thread = 0, .address = 0, .occurrences = 64, .buffer = "y"});
    kit.memory.reset(y);
    EXPECT_EQ(describe(run("fresh_accumulator", y, x)), "");
    kit.memory.fill(y, 0);
    EXPECT_EQ(describe(run("stale_accumulator", y, x)), "");
}

TEST_F(Uninitialized, SharedMemory) {
    const BufferId x = kit.input("x", ones(64));
    const BufferId y = kit.output<float>("y", 64);
    expect_one(run("shared_tail", y, x), {.line = 17, .other_line = 17, .thread = 63, .address = 256, .occurrences = 1, .buffer = "shared"});
    EXPECT_EQ(describe(run("shared_tail_written", y, x)), "");
}

TEST_F(Uninitialized, BranchesAndAddresses) {
    const BufferId unset = kit.output<std::int32_t>("unset", 64);
    const BufferId set = kit.input("set", std::vector<std::int32_t>(64, 5));
    const BufferId y = kit.output<std::int32_t>("y", 64);
    expect_one(run("decides_branch", unset, y), {.line = 29, .other_line = 29, .thread = 0, .address = 0, .occurrences = 64, .buffer = "unset"});
    EXPECT_EQ(describe(run("decides_branch", set, y)), "");
    expect_one(run("makes_address", unset, y), {.line = 33, .other_line = 33, .thread = 0, .address = 0, .occurrences = 64, .buffer = "unset"});
}

TEST_F(Uninitialized, AtomicsOnMemoryThatNobodyCleared) {
    const BufferId bins = kit.output<std::int32_t>("bins", 2);
    const LaunchResult result = kit.run("counts", {1}, {64}, Buffer{bins});
    expect_one(result, {.line = 37, .other_line = 37, .thread = 0, .address = 0, .occurrences = 32, .buffer = "bins"});
}

TEST_F(Uninitialized, LocalArrays) {
    const BufferId x = kit.input("x", ones(16));
    const BufferId y = kit.output<float>("y", 32);
    EXPECT_EQ(describe(kit.run("local_part", {1}, {32}, Buffer{y}, Buffer{x}, 16, 1)), "");
    const LaunchResult result = kit.run("local_part", {1}, {32}, Buffer{y}, Buffer{x}, 12, 1);
    ASSERT_EQ(result.findings.size(), 1u) << describe(result);
    EXPECT_EQ(result.findings[0].line, 44u);
    EXPECT_EQ(result.findings[0].thread[0], 12u);
    EXPECT_EQ(result.findings[0].buffer, "local");
    EXPECT_EQ(result.findings[0].occurrences, 8u);
}

TEST_F(Uninitialized, PaddingMayBeCopied) {
    struct Padded {
        char kind;
        std::int32_t value;
        std::int16_t last;
    };
    const BufferId made = kit.output<Padded>("made", 64);
    const BufferId copied = kit.output<Padded>("copied", 64);
    const BufferId mirrored = kit.output<Padded>("mirrored", 64);
    const BufferId words = kit.output<Padded>("words", 64);
    const BufferId out = kit.output<std::int32_t>("out", 64);
    EXPECT_EQ(describe(kit.run("write_fields", {1}, {64}, Buffer{made})), "");
    EXPECT_EQ(describe(run("copy_structures", made, copied)), "");
    EXPECT_EQ(describe(run("copy_through_shared", copied, mirrored)), "");
    EXPECT_EQ(describe(kit.run("copy_words", {1}, {64}, Buffer{mirrored}, Buffer{words}, 64 * 12 / 16)), "");
    EXPECT_EQ(describe(run("read_fields", words, out)), "");
    const std::vector<std::int32_t> sums = kit.read<std::int32_t>(out);
    for (int t = 0; t < 64; ++t) EXPECT_EQ(sums[63 - t], t + 3 * t + t + 7);
    // The padding is as uninitialised in the copies as in the original.
    const std::vector<std::uint8_t> flags = kit.memory.uninitialized(words, 0, 12);
    EXPECT_EQ(flags, (std::vector<std::uint8_t>{0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1}));
}

TEST_F(Uninitialized, CopiesStayUninitialized) {
    const BufferId unset = kit.output<float>("unset", 256);
    const BufferId copy = kit.input("copy", ones(256));
    EXPECT_EQ(describe(kit.run("copy_words", {1}, {32}, Buffer{unset}, Buffer{copy}, 60)), "");
    const std::vector<std::uint8_t> flags = kit.memory.uninitialized(copy, 0, 1024);
    EXPECT_EQ(std::accumulate(flags.begin(), flags.begin() + 960, 0), 960);
    EXPECT_EQ(std::accumulate(flags.begin() + 960, flags.end(), 0), 0);
}

TEST_F(Uninitialized, BytesTakenOutOfWords) {
    const BufferId words = kit.output<std::uint32_t>("words", 64);
    const BufferId out = kit.output<std::uint32_t>("out", 64);
    EXPECT_EQ(describe(kit.run("write_low_bytes", {1}, {64}, Buffer{words})), "");
    EXPECT_EQ(describe(run("take_bytes", words, out)), "");
    for (std::uint32_t t = 0; t < 64; ++t) EXPECT_EQ(kit.read<std::uint32_t>(out)[t], (t * 5 & 0xff) + ((t * 5 & 0xff) >> 4));
}

TEST_F(Uninitialized, ThroughCalls) {
    const BufferId x = kit.output<float>("x", 32);
    const BufferId y = kit.output<float>("y", 32);
    const LaunchResult result = run("through_a_call", x, y, 32);
    expect_one(result, {.line = 93, .other_line = 93, .thread = 0, .address = 0, .occurrences = 32, .buffer = "x"});
}

TEST_F(Uninitialized, VariablesInRegisters) {
    const BufferId x = kit.input("x", ones(256));
    const BufferId y = kit.output<float>("y", 64);
    expect_one(kit.run("sum_from_nothing", {1}, {64}, Buffer{x}, Buffer{y}, 4),
               {.line = 111, .other_line = 112, .thread = 0, .address = 0, .occurrences = 64, .buffer = "register"});
}

TEST_F(Uninitialized, VariablesMayHaveNoValueWhereNoneIsNeeded) {
    std::vector<int> numbers(256);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int>(i / 64 * i % 3);
    const BufferId x = kit.input("x", numbers);
    const BufferId y = kit.output<int>("y", 256);
    EXPECT_EQ(describe(kit.run("changes", {1}, {64}, Buffer{x}, Buffer{y}, 4)), "");
    const BufferId most = kit.output<float>("y", 64);
    std::vector<float> values(256);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = i % 5 < 2 ? 1.0f : -1.0f;
    const BufferId floats = kit.input("z", values);
    EXPECT_EQ(describe(kit.run("greatest", {1}, {64}, Buffer{floats}, Buffer{most}, 4)), "");
}

TEST_F(Uninitialized, ShuffledFromALaneThatDoesNotTakePart) {
    std::vector<std::int32_t> values(32);
    std::iota(values.begin(), values.end(), 0);
    const BufferId x = kit.input("x", values);
    const BufferId y = kit.output<std::int32_t>("y", 32);
    const LaunchResult result = run("shuffled_from_outside", x, y, 32);
    expect_one(result, {.kind = FindingKind::shuffle, .line = 97, .other_line = 97, .thread = 15, .address = 0, .occurrences = 1, .buffer = ""});
    EXPECT_EQ(describe(run("shuffled_sum", x, y, 32)), "");
    EXPECT_EQ(kit.read<std::int32_t>(y)[0], 120);
}

}  // namespace
}  // namespace optiml::emulator
