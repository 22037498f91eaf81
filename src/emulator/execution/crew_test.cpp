// Nothing in a launch's result depends on the number of host threads.

#include "emulator/execution/crew.h"

#include <cmath>
#include <functional>
#include <mutex>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "base/random.h"
#include "emulator/launch_kit.h"

namespace optiml::emulator {
namespace {

using Buffer = LaunchKit::Buffer;

constexpr std::uint32_t kBlocks = 24;
constexpr std::uint32_t kThreads = 96;
constexpr std::uint32_t kElements = kBlocks * kThreads;

std::vector<float> random_values(std::size_t count) {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(2 * random_unit(1, i) - 1);
    return values;
}

// Everything that a launch leaves behind.
struct Outcome {
    std::string findings;
    std::vector<std::uint64_t> occurrences;
    Counters counters;
    std::vector<Counters> lines;
    std::uint64_t blocks_run = 0;
    std::uint64_t thread_instructions = 0;
    std::vector<std::uint8_t> memory;         // of all buffers
    std::vector<std::uint8_t> uninitialized;
    std::vector<double> shadows;

    bool operator==(const Outcome&) const = default;
};

Outcome outcome_of(const LaunchKit& kit, const LaunchResult& result) {
    Outcome outcome{describe(result), {}, result.counters, {}, result.blocks_run, result.thread_instructions, {}, {}, {}};
    for (const Finding& finding : result.findings) outcome.occurrences.push_back(finding.occurrences);
    for (const LineCounters& line : result.lines) outcome.lines.push_back(line.counters);
    for (BufferId buffer = 0; buffer < kit.memory.buffer_count(); ++buffer) {
        const std::uint64_t bytes = kit.memory.spec(buffer).bytes;
        const std::vector<std::uint8_t> values = kit.read<std::uint8_t>(buffer);
        const std::vector<std::uint8_t> flags = kit.memory.uninitialized(buffer, 0, bytes);
        outcome.memory.insert(outcome.memory.end(), values.begin(), values.end());
        outcome.uninitialized.insert(outcome.uninitialized.end(), flags.begin(), flags.end());
        if (kit.options.domain != ValueDomain::wider_shadow || kit.memory.spec(buffer).element_bytes < 4) continue;
        const std::uint64_t count = bytes / kit.memory.spec(buffer).element_bytes;
        std::vector<double> high(count), low(count);
        kit.memory.read_shadow(buffer, 0, count, high.data(), low.data());
        for (const std::vector<double>& part : {high, low})
            for (const double value : part) outcome.shadows.push_back(std::isnan(value) ? -1 : value);
    }
    return outcome;
}

struct Case {
    std::string kernel;
    std::function<LaunchResult(LaunchKit&, const std::string& kernel)> run;
    std::string file = "independence";
    bool clean = true;
};

void PrintTo(const Case& shown, std::ostream* out) { *out << shown.kernel; }

template <class Element>
LaunchResult from_to(LaunchKit& kit, const std::string& kernel) {
    const BufferId x = kit.input("x", random_values(kElements));
    const BufferId y = kit.output<Element>("y", kElements);
    return kit.run(kernel, {kBlocks}, {kThreads}, Buffer{x}, Buffer{y});
}

LaunchResult partly_copied(LaunchKit& kit, const std::string& kernel) {
    const BufferId x = kit.input("x", random_values(kElements));
    const BufferId y = kit.input("y", random_values(kElements));
    const BufferId partly = kit.output<float>("partly", kElements);
    const float value = 5;
    for (std::uint64_t i = 0; i < kElements; i += 2) kit.memory.write(partly, i * sizeof value, &value, sizeof value);
    return kit.run(kernel, {kBlocks}, {kThreads}, Buffer{x}, Buffer{y}, Buffer{partly});
}

LaunchResult in_place(LaunchKit& kit, const std::string& kernel) {
    const BufferId x = kit.input("x", random_values(kElements));
    return kit.run(kernel, {kBlocks}, {kThreads}, Buffer{x});
}

LaunchResult flag(LaunchKit& kit, const std::string& kernel) {
    const BufferId value = kit.output<std::int32_t>("flag", 1);
    const BufferId y = kit.output<std::int32_t>("y", kThreads);
    return kit.run(kernel, {kBlocks}, {kThreads}, Buffer{value}, Buffer{y});
}

LaunchResult overrun(LaunchKit& kit, const std::string& kernel) {
    const BufferId x = kit.input("x", random_values(kElements));
    const BufferId y = kit.output<float>("y", kElements);
    return kit.run(kernel, {kBlocks + 1}, {kThreads}, Buffer{x}, Buffer{y}, kElements);
}

LaunchResult sum(LaunchKit& kit, const std::string& kernel) {
    const BufferId x = kit.input("x", random_values(kElements));
    const BufferId total = kit.input("sum", std::vector<float>{0.5f});
    return kit.run(kernel, {kBlocks}, {kThreads}, Buffer{x}, Buffer{total});
}

LaunchResult endless(LaunchKit& kit, const std::string& kernel) {
    const BufferId y = kit.output<float>("y", kBlocks);
    kit.options.instruction_limit = 3000;
    return kit.run(kernel, {kBlocks}, {kThreads}, Buffer{y});
}

LaunchResult multiply(LaunchKit& kit, const std::string& kernel) {
    constexpr int n = 64;
    const BufferId a = kit.input("a", random_values(n * n));
    const BufferId b = kit.input("b", random_values(n * n));
    const BufferId c = kit.output<float>("c", n * n);
    return kit.run(kernel, {n / 16, n / 16}, {16, 16}, Buffer{a}, Buffer{b}, Buffer{c}, n);
}

LaunchResult rows(LaunchKit& kit, const std::string& kernel) {
    constexpr int rows = 400;
    constexpr int columns = 33;
    const BufferId x = kit.input("x", random_values(rows * columns));
    const BufferId y = kit.output<float>("y", rows * columns);
    return kit.run(kernel, {13}, {32}, Buffer{x}, Buffer{y}, rows, columns);
}

class HostThreads : public testing::TestWithParam<Case> {
protected:
    Outcome outcome(std::uint32_t threads, const std::function<void(RunOptions&)>& choose) {
        LaunchKit kit = LaunchKit::from_file(GetParam().file);
        EXPECT_EQ(kit.error(), "");
        kit.options.host_threads = threads;
        kit.options.instructions_alone = 0;
        choose(kit.options);
        return outcome_of(kit, GetParam().run(kit, GetParam().kernel));
    }
    void expect_same(const std::function<void(RunOptions&)>& choose) {
        const Outcome alone = outcome(1, choose);
        EXPECT_EQ(alone.findings == "", GetParam().clean) << alone.findings;
        for (const std::uint32_t threads : {2u, 3u, 7u})
            EXPECT_TRUE(outcome(threads, choose) == alone) << threads << " threads: " << outcome(threads, choose).findings;
    }
};

TEST_P(HostThreads, ChangeNothing) { expect_same([](RunOptions&) {}); }

TEST_P(HostThreads, ChangeNothingInAnotherOrder) {
    expect_same([](RunOptions& options) { options.schedule_seed = 11; });
}

TEST_P(HostThreads, ChangeNoShadow) {
    expect_same([](RunOptions& options) { options.domain = ValueDomain::wider_shadow; });
}

const std::vector<Case> kCases{
    {"interleave_bytes", from_to<std::uint8_t>},
    {"interleave_floats", from_to<float>},
    {"interleave_doubles", from_to<double>},
    {"interleave_copies", partly_copied},
    {"in_place", in_place},
    {"uneven", from_to<float>},
    {"float_sum_of_block", from_to<float>},
    {"float_sum", sum},
    {"same_value_read_back", flag, "independence", false},
    {"reads_other_block", in_place, "independence", false},
    {"last_reads_first", from_to<float>, "independence", false},
    {"last_block_overruns", overrun, "independence", false},
    {"first_block_never_ends", endless, "independence", false},
    {"matmul", multiply, "basics"},
    {"matmul_tiled", multiply, "basics"},
    {"softmax_row", rows, "basics"},
};

INSTANTIATE_TEST_SUITE_P(Kernels, HostThreads, testing::ValuesIn(kCases), [](const auto& tested) { return tested.param.kernel; });

// Who has to make the bytes of a buffer, which the kernel writes: each thread in its own view.
std::size_t threads_that_run(const std::string& kernel, std::uint64_t instructions_alone) {
    std::mutex mutex;
    std::set<std::thread::id> threads;
    LaunchKit kit = LaunchKit::from_file("independence");
    kit.options.host_threads = 3;
    kit.options.instructions_alone = instructions_alone;
    const BufferId x = kit.memory.add({.name = "x", .bytes = kElements * sizeof(float), .initialized = true,
                                       .generator = [&](std::uint64_t, std::uint64_t count, std::uint8_t* bytes) {
                                           const std::lock_guard lock(mutex);
                                           threads.insert(std::this_thread::get_id());
                                           std::fill_n(bytes, count, std::uint8_t{0});
                                       }});
    EXPECT_EQ(describe(kit.run(kernel, {kBlocks}, {kThreads}, Buffer{x})), "");
    return threads.size();
}

TEST(Crew, AllThreadsTakePart) { EXPECT_EQ(threads_that_run("in_place", 0), 3u); }
TEST(Crew, ShortLaunchesStayOnOneThread) { EXPECT_EQ(threads_that_run("in_place", 1'000'000), 1u); }

TEST(Crew, SampledBlocksCountTheSame) {
    const auto sampled = [](std::uint32_t threads) {
        LaunchKit kit = LaunchKit::from_file("independence");
        kit.options.blocks = {.kind = BlockSelection::Kind::sample, .sample_count = 40, .seed = 3};
        kit.options.checks = false;
        kit.options.host_threads = threads;
        kit.options.instructions_alone = 0;
        const BufferId x = kit.input("x", random_values(400 * kThreads));
        const BufferId y = kit.output<float>("y", 400 * kThreads);
        const LaunchResult result = kit.run("uneven", {400}, {kThreads}, Buffer{x}, Buffer{y});
        return outcome_of(kit, result);
    };
    const Outcome alone = sampled(1);
    EXPECT_EQ(alone.findings, "");
    EXPECT_LT(alone.blocks_run, 400u);
    EXPECT_TRUE(sampled(2) == alone);
    EXPECT_TRUE(sampled(3) == alone);
}

}  // namespace
}  // namespace optiml::emulator
