#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "emulator/launch_kit.h"

namespace optiml::emulator {
namespace {

using Buffer = LaunchKit::Buffer;
using Integers = std::vector<std::int32_t>;

Integers iota(std::size_t count) {
    Integers values(count);
    std::iota(values.begin(), values.end(), 0);
    return values;
}

std::int32_t nested(std::int32_t bound, std::int32_t t) {
    std::int32_t sum = 0;
    for (int i = 0; i < bound; ++i) {
        if (i % 5 == 3) continue;
        for (int j = 0; j <= i; ++j) {
            if ((i * j + t) % 7 == 6) break;
            sum += i ^ j;
            if (sum > 10000) return sum;
        }
        sum += t;
    }
    return sum;
}

TEST(Control, NestedLoopsWithBreakContinueAndGoto) {
    LaunchKit kit = LaunchKit::from_file("control");
    Integers bounds(100);
    for (int i = 0; i < 100; ++i) bounds[i] = i * 37 % 50;
    const BufferId bound = kit.input("bound", bounds);
    const BufferId out = kit.output<std::int32_t>("out", 100);
    EXPECT_EQ(describe(kit.run("nested", {2}, {64}, Buffer{bound}, Buffer{out}, 100)), "");
    const Integers values = kit.read<std::int32_t>(out);
    for (int t = 0; t < 100; ++t) EXPECT_EQ(values[t], nested(bounds[t], t)) << t;
}

TEST(Control, LanesOfAWarpTakeALockInTurn) {
    for (const std::string kernel : {"spin_lock", "spin_lock_inside"}) {
        LaunchKit kit = LaunchKit::from_file("control");
        kit.options.instruction_limit = 10'000'000;
        const BufferId lock = kit.input("lock", Integers{0});
        const BufferId counter = kit.input("counter", Integers{0});
        EXPECT_EQ(describe(kit.run(kernel, {6}, {64}, Buffer{lock}, Buffer{counter})), "") << kernel;
        EXPECT_EQ(kit.read<std::int32_t>(counter)[0], 6 * 64) << kernel;
    }
}

TEST(Control, LanesOfAWarpWaitForEachOther) {
    LaunchKit kit = LaunchKit::from_file("control");
    kit.options.instruction_limit = 1'000'000;
    kit.options.checks = false;  // only about progress: the token is handed on without fences
    const BufferId turn = kit.input("turn", Integers{31});
    const BufferId order = kit.output<std::int32_t>("order", 32);
    EXPECT_EQ(describe(kit.run("token", {1}, {32}, Buffer{turn}, Buffer{order})), "");
    EXPECT_EQ(kit.read<std::int32_t>(turn)[0], -1);
    const Integers values = kit.read<std::int32_t>(order);
    for (int i = 0; i < 32; ++i) EXPECT_EQ(values[i], 31 - i);
}

TEST(Control, BlocksWaitForTheirPredecessors) {
    for (const std::uint64_t seed : {0, 1, 2}) {
        LaunchKit kit = LaunchKit::from_file("control");
        kit.options.instruction_limit = 10'000'000;
        kit.options.schedule_seed = seed;
        const Integers x = iota(1000);
        const BufferId in = kit.input("x", x);
        const BufferId out = kit.output<std::int32_t>("y", 1000);
        const BufferId sums = kit.output<std::int32_t>("sums", 16);
        const BufferId flags = kit.input("flags", Integers(16));
        EXPECT_EQ(describe(kit.run("chained_scan", {16}, {64}, Buffer{in}, Buffer{out}, Buffer{sums}, Buffer{flags}, 1000)), "") << seed;
        Integers expected(1000);
        std::partial_sum(x.begin(), x.end(), expected.begin());
        EXPECT_EQ(kit.read<std::int32_t>(out), expected) << seed;
    }
}

TEST(Control, BlocksMeetAtABarrierOfTheGrid) {
    LaunchKit kit = LaunchKit::from_file("control");
    kit.options.instruction_limit = 10'000'000;
    const BufferId arrived = kit.input("arrived", Integers{0});
    const BufferId x = kit.input("x", iota(1280));
    const BufferId y = kit.output<std::int32_t>("y", 1280);
    const BufferId z = kit.output<std::int32_t>("z", 1280);
    EXPECT_EQ(describe(kit.run("grid_barrier", {20}, {64}, Buffer{arrived}, Buffer{x}, Buffer{y}, Buffer{z})), "");
    const Integers values = kit.read<std::int32_t>(z);
    for (int i = 0; i < 1280; ++i) ASSERT_EQ(values[i], 2 * (1279 - i)) << i;
}

TEST(Control, CallsThemselves) {
    LaunchKit kit = LaunchKit::from_file("control");
    const BufferId out = kit.output<std::int32_t>("out", 32);
    EXPECT_EQ(describe(kit.run("recursion", {1}, {32}, Buffer{out})), "");
    const Integers values = kit.read<std::int32_t>(out);
    const Integers fibonacci = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34};
    for (int i = 0; i < 32; ++i) EXPECT_EQ(values[i], fibonacci[i % 10]) << i;
}

TEST(Control, CallsThroughPointersThatDifferBetweenLanes) {
    LaunchKit kit = LaunchKit::from_file("control");
    Integers which(48);
    for (int i = 0; i < 48; ++i) which[i] = i % 3 == 0;
    const BufferId in = kit.input("which", which);
    const BufferId out = kit.output<std::int32_t>("out", 48);
    EXPECT_EQ(describe(kit.run("indirect", {1}, {48}, Buffer{in}, Buffer{out})), "");
    const Integers values = kit.read<std::int32_t>(out);
    for (int i = 0; i < 48; ++i) EXPECT_EQ(values[i], i % 3 == 0 ? i * 7 : i + 7) << i;
}

TEST(Control, PassesAndReturnsStructures) {
    struct Pair {
        std::int32_t values[3];
        std::int32_t count;
    };
    LaunchKit kit = LaunchKit::from_file("control");
    const BufferId out = kit.output<std::int32_t>("out", 32);
    EXPECT_EQ(describe(kit.run("structs", {1}, {32}, Pair{{1, 2, 3}, 0}, Buffer{out})), "");
    const Integers values = kit.read<std::int32_t>(out);
    for (int t = 0; t < 32; ++t) {
        Pair pair{{1, 2, 3}, 0};
        for (int i = 0; i < t % 5; ++i) pair.values[pair.count++ % 3] += 10 + i;
        EXPECT_EQ(values[t], pair.values[0] + 100 * pair.values[1] + 10000 * pair.values[2] + 1000000 * pair.count) << t;
    }
}

TEST(Control, FunctionsReachLocalArraysThroughPointers) {
    LaunchKit kit = LaunchKit::from_file("control");
    Integers values(64 * 8);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int32_t>(i * 2654435761u % 1000);
    const BufferId data = kit.input("data", values);
    EXPECT_EQ(describe(kit.run("local_array", {1}, {64}, Buffer{data})), "");
    for (std::size_t i = 0; i < values.size(); i += 8) std::sort(values.begin() + i, values.begin() + i + 8);
    EXPECT_EQ(kit.read<std::int32_t>(data), values);
}

TEST(Control, SwitchOverLanes) {
    LaunchKit kit = LaunchKit::from_file("control");
    Integers kinds(32);
    for (int i = 0; i < 32; ++i) kinds[i] = i * 5 % 8;
    const BufferId kind = kit.input("kind", kinds);
    const BufferId out = kit.output<std::int32_t>("out", 32);
    EXPECT_EQ(describe(kit.run("selected", {1}, {32}, Buffer{kind}, Buffer{out})), "");
    const Integers values = kit.read<std::int32_t>(out);
    for (int t = 0; t < 32; ++t) {
        const Integers results = {t, t * t, -t, t ^ 21, 1 << (t & 7), t / 3, 99, 99};
        EXPECT_EQ(values[t], results[kinds[t]]) << t;
    }
}

TEST(Control, BranchTables) {
    // nvcc makes trees of branches of most switches; brx.idx comes from other compilers.
    LaunchKit kit(R"(
.version 8.0
.target sm_80
.address_size 64
.visible .entry table(.param .u64 out)
{
	.reg .b32 %r<5>;
	.reg .b64 %rd<4>;
	ld.param.u64 %rd1, [out];
	mov.u32 %r1, %tid.x;
	and.b32 %r2, %r1, 3;
targets: .branchtargets A, B, C, B;
	brx.idx %r2, targets;
A:
	mov.u32 %r3, 100;
	bra.uni done;
B:
	mov.u32 %r3, 200;
	bra.uni done;
C:
	mov.u32 %r3, 300;
done:
	mul.wide.u32 %rd2, %r1, 4;
	add.s64 %rd3, %rd1, %rd2;
	st.global.u32 [%rd3], %r3;
	ret;
}
)");
    ASSERT_EQ(kit.error(), "");
    const BufferId out = kit.output<std::int32_t>("out", 32);
    EXPECT_EQ(describe(kit.run("table", {1}, {32}, Buffer{out})), "");
    const Integers values = kit.read<std::int32_t>(out);
    for (int i = 0; i < 32; ++i) EXPECT_EQ(values[i], (Integers{100, 200, 300, 200})[i % 4]) << i;
}

TEST(Control, TrapIsAFinding) {
    LaunchKit kit = LaunchKit::from_file("control");
    const LaunchResult result = kit.run("asserts", {1}, {64}, 40);
    EXPECT_FALSE(result.completed);
    ASSERT_EQ(result.findings.size(), 1u);
    EXPECT_EQ(result.findings[0].kind, FindingKind::trap);
    EXPECT_EQ(result.findings[0].thread[0], 40u);
    EXPECT_EQ(describe(kit.run("asserts", {1}, {64}, 64)), "");
}

}  // namespace
}  // namespace optiml::emulator
