#include <algorithm>
#include <functional>
#include <numeric>

#include <gtest/gtest.h>

#include "emulator/launch_kit.h"

namespace optiml::emulator {
namespace {

using Buffer = LaunchKit::Buffer;

struct Expected {
    std::uint32_t line = 0;        // of one of the two accesses
    std::uint32_t other_line = 0;
    std::string buffer;
};

struct Case {
    std::string kernel;
    std::function<LaunchResult(LaunchKit&, const std::string& kernel)> run;
    std::vector<Expected> races;   // empty: honest
};

void PrintTo(const Case& shown, std::ostream* out) { *out << shown.kernel; }

std::vector<float> floats(std::size_t count) {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i * 13 % 101);
    return values;
}

std::vector<std::int32_t> integers(std::size_t count) {
    std::vector<std::int32_t> values(count);
    std::iota(values.begin(), values.end(), 0);
    return values;
}

// One block of `threads` over x and y.
auto from_to(std::uint32_t threads) {
    return [threads](LaunchKit& kit, const std::string& kernel) {
        const BufferId x = kit.input("x", floats(threads));
        const BufferId y = kit.output<float>("y", threads);
        return kit.run(kernel, {1}, {threads}, Buffer{x}, Buffer{y});
    };
}

LaunchResult tiles(LaunchKit& kit, const std::string& kernel) {
    const BufferId x = kit.input("x", floats(192));
    const BufferId y = kit.output<float>("y", 64);
    return kit.run(kernel, {1}, {64}, Buffer{x}, Buffer{y}, 3);
}

auto in_place(std::uint32_t blocks, std::uint32_t threads) {
    return [=](LaunchKit& kit, const std::string& kernel) {
        const BufferId x = kit.input("x", floats(blocks * threads + 1));
        return kit.run(kernel, {blocks}, {threads}, Buffer{x});
    };
}

auto into_one_by(std::uint32_t blocks, std::uint32_t threads) {
    return [=](LaunchKit& kit, const std::string& kernel) {
        const BufferId one = kit.input("one", integers(1));
        const BufferId x = kit.input("x", integers(64));
        return kit.run(kernel, {blocks}, {threads}, Buffer{one}, Buffer{x});
    };
}

LaunchResult histogram(LaunchKit& kit, const std::string& kernel) {
    std::vector<std::int32_t> values = integers(64);
    std::ranges::reverse(values);  // each thread counts in a bin that another reads out
    const BufferId x = kit.input("x", values);
    const BufferId bins = kit.input("bins", std::vector<std::int32_t>(64));
    return kit.run(kernel, {1}, {64}, Buffer{x}, Buffer{bins});
}

LaunchResult bytes(LaunchKit& kit, const std::string& kernel) {
    const BufferId out = kit.output<std::uint8_t>("out", 256);
    const BufferId in = kit.input("in", std::vector<std::uint8_t>(256, 7));
    return kit.run(kernel, {1}, {256}, Buffer{out}, Buffer{in});
}

LaunchResult last_block(LaunchKit& kit, const std::string& kernel) {
    const BufferId x = kit.input("x", floats(640));
    const BufferId partial = kit.output<float>("partial", 10);
    const BufferId ticket = kit.input("ticket", std::vector<std::uint32_t>{0});
    const BufferId sum = kit.output<float>("sum", 1);
    LaunchResult result = kit.run(kernel, {10}, {64}, Buffer{x}, Buffer{partial}, Buffer{ticket}, Buffer{sum});
    const std::vector<float> values = floats(640);
    EXPECT_EQ(kit.read<float>(sum)[0], std::accumulate(values.begin(), values.end(), 0.0f));
    return result;
}

LaunchResult lock(LaunchKit& kit, const std::string& kernel) {
    const BufferId out = kit.output<std::int32_t>("out", 1);
    LaunchResult result = kernel == "shared_lock" ? kit.run(kernel, {2}, {128}, Buffer{out}, 1) : kit.run(kernel, {2}, {128}, Buffer{out});
    EXPECT_EQ(kit.read<std::int32_t>(out)[0], 32 + 64 + 96);
    return result;
}

std::vector<Case> cases() {
    return {
        {"missing_barrier", from_to(128), {{6, 5, "shared"}}},
        {"with_barrier", from_to(128), {}},
        {"tile_reused", tiles, {{21, 23, "shared"}}},
        {"tile_kept", tiles, {}},
        {"warp_tail", from_to(64), {{48, 47, "shared"}, {49, 48, "shared"}}},
        {"warp_tail_synchronized", from_to(64), {}},
        {"between_blocks", in_place(4, 64), {{77, 75, "x"}}},
        {"in_place_shift", in_place(1, 64), {{83, 82, "x"}}},
        {"in_place_shift_ordered", in_place(1, 64), {}},
        {"same_value", into_one_by(2, 64), {}},
        {"own_value", into_one_by(2, 64), {{98, 98, "one"}}},
        {"plain_sum", into_one_by(2, 64), {{102, 102, "one"}}},
        {"atomic_sum", into_one_by(2, 64), {}},
        {"block_scope_sum", into_one_by(2, 64), {{231, 231, "one"}}},
        // A thread from each of two blocks, so that only one order of their accesses is seen.
        {"block_scope_first", into_one_by(2, 1), {{236, 238, "one"}}},
        {"block_scope_second", into_one_by(2, 1), {{243, 245, "one"}}},
        {"flag_of_block_scope", into_one_by(2, 1), {{249, 255, "one"}}},
        {"flag_stored_in_block", into_one_by(2, 1), {{249, 261, "one"}}},
        {"flag_loaded_in_block", into_one_by(2, 1), {{251, 255, "one"}}},
        {"flag_of_device_scope", into_one_by(2, 1), {}},
        {"flag_within_block", into_one_by(1, 64), {}},
        {"histogram_read_early", histogram, {{112, 111, "shared"}}},
        {"bytes", bytes, {}},
        {"last_block_sums", last_block, {}},
        {"last_block_unfenced", last_block, {{143, 136, "partial"}}},
        {"shared_lock", lock, {}},
        {"shared_lock_unfenced", lock, {{180, 180, "shared"}}},
        {"named_barriers", from_to(128), {}},
        {"wrong_named_barriers", from_to(128), {{207, 202, "shared"}}},
        {"reads_own_block_through_cache", from_to(64), {{215, 213, "x"}}},
        {"writes_what_was_read_through_cache", from_to(64), {{222, 220, "x"}}},
        {"reads_input_through_cache", from_to(64), {}},
    };
}

class Races : public testing::TestWithParam<Case> {};

TEST_P(Races, AreFoundAndOnlyThey) {
    const Case& param = GetParam();
    LaunchKit kit = LaunchKit::from_file("races");
    ASSERT_EQ(kit.error(), "");
    const LaunchResult result = param.run(kit, param.kernel);
    EXPECT_TRUE(result.completed);
    for (const Expected& expected : param.races) {
        const bool found = std::ranges::any_of(result.findings, [&](const Finding& finding) {
            const bool as_said = finding.line == expected.line && finding.other_line == expected.other_line;
            const bool reversed = finding.line == expected.other_line && finding.other_line == expected.line;
            return finding.kind == FindingKind::race && finding.buffer == expected.buffer && (as_said || reversed);
        });
        EXPECT_TRUE(found) << "line " << expected.line << " and " << expected.other_line << "; found:\n" << describe(result);
    }
    if (param.races.empty()) {
        EXPECT_EQ(describe(result), "");
    }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Races, testing::ValuesIn(cases()), [](const auto& test) { return test.param.kernel; });

TEST(RaceReport, NamesBothThreads) {
    LaunchKit kit = LaunchKit::from_file("races");
    const LaunchResult result = in_place(1, 64)(kit, "in_place_shift");
    ASSERT_EQ(result.findings.size(), 1u) << describe(result);
    const Finding& race = result.findings[0];
    // The first thread that writes what another has read: thread 1 writes x[1], which thread 0 read.
    EXPECT_EQ(race.thread[0], 1u);
    EXPECT_EQ(race.other_thread[0], 0u);
    EXPECT_EQ(race.address, 4u);
    EXPECT_EQ(race.kernel, "in_place_shift");
    EXPECT_EQ(race.file, "races.cu");
    EXPECT_EQ(race.occurrences, 63u);
}

}  // namespace
}  // namespace optiml::emulator
