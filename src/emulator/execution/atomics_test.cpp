#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "emulator/execution/atomic_operations.h"
#include "emulator/execution/half.h"
#include "emulator/launch_kit.h"

namespace optiml::emulator {
namespace {

using Buffer = LaunchKit::Buffer;

TEST(Atomics, IntegersOfEveryOperation) {
    LaunchKit kit = LaunchKit::from_file("atomics");
    const BufferId out = kit.input("out", std::vector<std::int32_t>{0, 0, 7, -1, -1, 0, 0});
    const BufferId u = kit.input("u", std::vector<std::uint32_t>{0, 5, 5000, 1});
    const BufferId wide = kit.input("wide", std::vector<std::uint64_t>{1, 2, 3, 4});
    EXPECT_EQ(describe(kit.run("integers", {1}, {64}, Buffer{out}, Buffer{u}, Buffer{wide})), "");
    EXPECT_EQ(kit.read<std::int32_t>(out), (std::vector<std::int32_t>{2016, -128, -5, 63, ~0xff, 0xffff, 0}));
    // inc counts 0..10 in a circle of 11; dec 5, 4, ..., 0, 20, 19, ... in one of 21.
    EXPECT_EQ(kit.read<std::uint32_t>(u), (std::vector<std::uint32_t>{64 % 11, (5 + 21 * 3 - 64) % 21 + 0u, 100, 63u << 26}));
    EXPECT_EQ(kit.read<std::uint64_t>(wide),
              (std::vector<std::uint64_t>{1 + (std::uint64_t{64} << 33), std::uint64_t{63} << 40, 3 + 64 * 3, 4 + 64 * 5}));
}

TEST(Atomics, FloatsOfEveryWidth) {
    LaunchKit kit = LaunchKit::from_file("atomics");
    const BufferId f = kit.input("f", std::vector<float>{1, 2});
    const BufferId d = kit.input("d", std::vector<double>{1});
    const BufferId h = kit.input("h", std::vector<std::uint16_t>{0, 0});
    const BufferId b = kit.input("b", std::vector<std::uint16_t>{0});
    EXPECT_EQ(describe(kit.run("floats", {1}, {64}, Buffer{f}, Buffer{d}, Buffer{h}, Buffer{b})), "");
    EXPECT_EQ(kit.read<float>(f), (std::vector<float>{17, 18}));
    EXPECT_EQ(kit.read<double>(d)[0], 17);
    EXPECT_EQ(float_of_f16(kit.read<std::uint16_t>(h)[0]), 64);
    EXPECT_EQ(float_of_f16(kit.read<std::uint16_t>(h)[1]), 128);
    EXPECT_EQ(float_of_bf16(kit.read<std::uint16_t>(b)[0]), 32);
}

TEST(Atomics, EachThreadGetsTheValueBeforeItsOwn) {
    LaunchKit kit = LaunchKit::from_file("atomics");
    const BufferId counter = kit.input("counter", std::vector<std::int32_t>{0});
    const BufferId owner = kit.output<std::int32_t>("owner", 96);
    const BufferId exchanged = kit.input("exchanged", std::vector<std::int32_t>{-1});
    EXPECT_EQ(describe(kit.run("tickets", {1}, {96}, Buffer{counter}, Buffer{owner}, Buffer{exchanged})), "");
    std::vector<std::int32_t> owners = kit.read<std::int32_t>(owner);
    std::sort(owners.begin(), owners.end());
    for (int i = 0; i < 96; ++i) EXPECT_EQ(owners[i], i);
    EXPECT_EQ(kit.read<std::int32_t>(counter)[0], 96);
}

TEST(Atomics, CompareAndSwapLoops) {
    LaunchKit kit = LaunchKit::from_file("atomics");
    std::vector<float> x(1000);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i * 7919 % 1009);
    const BufferId greatest = kit.input("greatest", std::vector<float>{0});
    const BufferId in = kit.input("x", x);
    EXPECT_EQ(describe(kit.run("compare_and_swap", {8}, {128}, Buffer{greatest}, Buffer{in}, 1000)), "");
    EXPECT_EQ(kit.read<float>(greatest)[0], *std::max_element(x.begin(), x.end()));
}

TEST(Atomics, HistogramInSharedMemory) {
    LaunchKit kit = LaunchKit::from_file("atomics");
    std::vector<std::uint8_t> data(5000);
    std::vector<std::uint32_t> expected(256);
    for (std::size_t i = 0; i < data.size(); ++i) ++expected[data[i] = static_cast<std::uint8_t>(i * i % 251)];
    const BufferId in = kit.input("data", data);
    const BufferId bins = kit.input("bins", std::vector<std::uint32_t>(256));
    EXPECT_EQ(describe(kit.run("shared_histogram", {5}, {128}, Buffer{in}, Buffer{bins}, 5000)), "");
    EXPECT_EQ(kit.read<std::uint32_t>(bins), expected);
}

TEST(Atomics, GenericAddressesOfDifferentSpacesInOneWarp) {
    LaunchKit kit = LaunchKit::from_file("atomics");
    const BufferId sum = kit.input("sum", std::vector<std::uint32_t>{0});
    const BufferId out = kit.output<std::uint32_t>("out", 1);
    EXPECT_EQ(describe(kit.run("generic_target", {1}, {64}, Buffer{sum}, Buffer{out})), "");
    std::uint32_t thirds = 0;
    for (std::uint32_t t = 0; t < 64; t += 3) thirds += t;
    EXPECT_EQ(kit.read<std::uint32_t>(out)[0], thirds);
    EXPECT_EQ(kit.read<std::uint32_t>(sum)[0], 2016 - thirds);
}

TEST(Atomics, FloatsInGlobalMemoryFlushSubnormals) {
    const std::uint64_t smallest = 1;
    const auto add = [&](bool flush) {
        return apply_atomic(ptx::AtomicOperation::add, ptx::Type::f32, smallest, {.value = smallest}, flush);
    };
    EXPECT_EQ(add(true), 0u);
    EXPECT_EQ(add(false), 2u);
}

TEST(Half, RoundsToNearestEvenAndBack) {
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
        const auto half = static_cast<std::uint16_t>(bits);
        const float value = float_of_f16(half);
        if (std::isnan(value)) continue;
        EXPECT_EQ(f16_of(value), half) << bits;
    }
    EXPECT_EQ(f16_of(2049.0f), f16_of(2048.0f));
    EXPECT_EQ(f16_of(2051.0f), f16_of(2052.0f));
    EXPECT_EQ(f16_of(65519.0f), 0x7bff);
    EXPECT_EQ(f16_of(65520.0f), 0x7c00);
    EXPECT_EQ(f16_of(0x1.8p-25f), 1);
    EXPECT_EQ(f16_of(0x1p-25f), 0);
    EXPECT_EQ(bf16_of(float_of_bf16(0x3f81)), 0x3f81);
    EXPECT_EQ(bf16_of(1.0f + 0x1p-8f), 0x3f80);
    EXPECT_EQ(bf16_of(1.0f + 0x1.8p-8f), 0x3f81);
}

}  // namespace
}  // namespace optiml::emulator
