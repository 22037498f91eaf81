#include "emulator/emulator.h"

#include <cmath>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "emulator/launch_kit.h"

namespace optiml::emulator {
namespace {

using Buffer = LaunchKit::Buffer;
using testing::IsEmpty;

std::vector<float> ramp(std::size_t count, float step) {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = step * static_cast<float>(i % 101) - 3.0f;
    return values;
}

void expect_clean(const LaunchResult& result) { EXPECT_EQ(describe(result), ""); }

TEST(Emulator, RunsAnElementwiseKernelWithATail) {
    LaunchKit kit = LaunchKit::from_file("basics");
    const std::vector<float> x = ramp(1000, 0.25f);
    const BufferId in = kit.input("x", x);
    const BufferId out = kit.output<float>("y", x.size());
    const LaunchResult result = kit.run("scale", {4}, {256}, Buffer{in}, Buffer{out}, 3.0f, 1000);
    expect_clean(result);
    EXPECT_EQ(kit.error(), "");
    EXPECT_EQ(result.blocks_run, 4u);
    const std::vector<float> y = kit.read<float>(out);
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(y[i], 3.0f * x[i]) << i;
}

std::vector<float> product(const std::vector<float>& a, const std::vector<float>& b, int n) {
    std::vector<float> c(a.size());
    for (int row = 0; row < n; ++row)
        for (int column = 0; column < n; ++column) {
            float sum = 0;
            for (int k = 0; k < n; ++k) sum = std::fma(a[row * n + k], b[k * n + column], sum);
            c[row * n + column] = sum;
        }
    return c;
}

TEST(Emulator, MultipliesMatrices) {
    constexpr int n = 48;
    const std::vector<float> a = ramp(n * n, 0.5f);
    const std::vector<float> b = ramp(n * n, 0.125f);
    for (const std::string kernel : {"matmul", "matmul_tiled"}) {
        LaunchKit kit = LaunchKit::from_file("basics");
        const BufferId a_id = kit.input("a", a);
        const BufferId b_id = kit.input("b", b);
        const BufferId c_id = kit.output<float>("c", n * n);
        expect_clean(kit.run(kernel, {3, 3}, {16, 16}, Buffer{a_id}, Buffer{b_id}, Buffer{c_id}, n));
        EXPECT_EQ(kit.read<float>(c_id), product(a, b, n)) << kernel;
    }
}

TEST(Emulator, SumsWithATreeInDynamicSharedMemory) {
    LaunchKit kit = LaunchKit::from_file("basics");
    const std::vector<float> x = ramp(500, 1.0f);
    const BufferId in = kit.input("x", x);
    const BufferId out = kit.output<float>("sums", 4);
    kit.dynamic_shared = 128 * sizeof(float);
    expect_clean(kit.run("block_sum", {4}, {128}, Buffer{in}, Buffer{out}, 500));
    const std::vector<float> sums = kit.read<float>(out);
    EXPECT_EQ(std::accumulate(sums.begin(), sums.end(), 0.0f), std::accumulate(x.begin(), x.end(), 0.0f));
}

TEST(Emulator, FollowsLanesThatLoopDifferentlyOften) {
    LaunchKit kit = LaunchKit::from_file("basics");
    std::vector<std::uint32_t> start(100);
    std::iota(start.begin(), start.end(), 0u);
    const BufferId in = kit.input("start", start);
    const BufferId out = kit.output<std::uint32_t>("steps", start.size());
    expect_clean(kit.run("collatz", {2}, {64}, Buffer{in}, Buffer{out}, 100));
    const std::vector<std::uint32_t> steps = kit.read<std::uint32_t>(out);
    for (std::uint64_t i = 0; i < start.size(); ++i) {
        std::uint32_t expected = 0;
        for (std::uint64_t value = i; value > 1; ++expected) value = value % 2 == 0 ? value / 2 : 3 * value + 1;
        EXPECT_EQ(steps[i], expected) << i;
    }
}

TEST(Emulator, SoftmaxOfRows) {
    LaunchKit kit = LaunchKit::from_file("basics");
    const std::vector<float> x = ramp(7 * 129, 0.1f);
    const BufferId in = kit.input("x", x);
    const BufferId out = kit.output<float>("y", x.size());
    expect_clean(kit.run("softmax_row", {1}, {128}, Buffer{in}, Buffer{out}, 7, 129));
    const std::vector<float> y = kit.read<float>(out);
    for (int row = 0; row < 7; ++row) {
        double sum = 0;
        for (int i = 0; i < 129; ++i) sum += std::exp(static_cast<double>(x[row * 129 + i]));
        for (int i = 0; i < 129; ++i) EXPECT_NEAR(y[row * 129 + i], std::exp(static_cast<double>(x[row * 129 + i])) / sum, 1e-6);
    }
}

TEST(Emulator, ErrorsForLaunchesThatDoNotFitTheKernel) {
    LaunchKit kit = LaunchKit::from_file("basics");
    kit.run("no_such_kernel", {1}, {32});
    EXPECT_NE(kit.error().find("no_such_kernel"), std::string::npos);
    kit.run("scale", {1}, {32}, 1);
    EXPECT_NE(kit.error().find("takes 4 arguments"), std::string::npos);
}

}  // namespace
}  // namespace optiml::emulator
