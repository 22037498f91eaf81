#include <cmath>

#include <gtest/gtest.h>

#include "emulator/launch_kit.h"
#include "emulator/values/wide_arithmetic.h"

namespace optiml::emulator {
namespace {

using Buffer = LaunchKit::Buffer;

constexpr int kCount = 1000;

std::vector<float> inputs() {
    std::vector<float> values(kCount);
    for (int i = 0; i < kCount; ++i) values[i] = 0.1f + 0.001f * static_cast<float>(i % 17);
    return values;
}

double exact_sum() {
    double sum = 0;
    for (const float x : inputs()) sum += static_cast<double>(x) * static_cast<double>(1.1f);
    return sum;
}

class Wide : public testing::Test {
protected:
    Wide() { kit.options.domain = ValueDomain::wider_shadow; }

    struct Shadow {
        double high = 0;
        double low = 0;
    };
    Shadow shadow(BufferId buffer, std::uint64_t element) const {
        Shadow value;
        kit.memory.read_shadow(buffer, element, 1, &value.high, &value.low);
        return value;
    }
    void expect_exact(BufferId out, std::uint64_t element = 0) const {
        EXPECT_NEAR(shadow(out, element).high, exact_sum(), 1e-11);
        const float bits = kit.read<float>(out)[element];
        EXPECT_NEAR(bits, exact_sum(), 1e-2);
        EXPECT_NE(shadow(out, element).high, static_cast<double>(bits));
    }

    LaunchKit kit = LaunchKit::from_file("accuracy");
    BufferId x = kit.input("x", inputs());
};

TEST_F(Wide, ThroughRegisters) {
    const BufferId y = kit.output<float>("y", 32);
    EXPECT_EQ(describe(kit.run("serial_sum", {1}, {32}, Buffer{x}, Buffer{y}, kCount)), "");
    expect_exact(y, 17);
}

TEST_F(Wide, TheBitsAreThoseOfAPlainRun) {
    const BufferId wide = kit.output<float>("wide", 32);
    const BufferId plain = kit.output<float>("plain", 32);
    kit.run("serial_sum", {1}, {32}, Buffer{x}, Buffer{wide}, kCount);
    kit.options.domain = ValueDomain::bits;
    kit.run("serial_sum", {1}, {32}, Buffer{x}, Buffer{plain}, kCount);
    EXPECT_EQ(kit.read<float>(wide), kit.read<float>(plain));
    // A plain run leaves no shadow: the value itself is read.
    EXPECT_EQ(shadow(plain, 3).high, kit.read<float>(plain)[3]);
    // Nor does it leave the shadow of what it overwrites.
    kit.run("serial_sum", {1}, {32}, Buffer{x}, Buffer{wide}, 10);
    EXPECT_EQ(shadow(wide, 3).high, kit.read<float>(wide)[3]);
}

TEST_F(Wide, ThroughSharedMemoryShufflesAndAtomics) {
    const BufferId y = kit.input("y", std::vector<float>{0});
    EXPECT_EQ(describe(kit.run("block_sum", {1}, {256}, Buffer{x}, Buffer{y}, kCount)), "");
    expect_exact(y);
}

TEST_F(Wide, ThroughCallsAndLocalMemory) {
    const BufferId y = kit.output<float>("y", 32);
    EXPECT_EQ(describe(kit.run("call_sum", {1}, {32}, Buffer{x}, Buffer{y}, kCount, 3)), "");
    expect_exact(y, 31);
}

TEST_F(Wide, ThroughAsynchronousCopies) {
    const BufferId y = kit.output<float>("y", 1);
    EXPECT_EQ(describe(kit.run("async_sum", {1}, {1}, Buffer{x}, Buffer{y}, kCount)), "");
    expect_exact(y);
}

TEST_F(Wide, ThroughMatrixUnits) {
    std::vector<float> a(128, 0.7001953125f);  // ten bits of fraction
    const BufferId in = kit.input("a", a);
    const BufferId y = kit.output<float>("y", 256);
    EXPECT_EQ(describe(kit.run("matrix_sum", {1}, {32}, Buffer{in}, Buffer{y})), "");
    EXPECT_NEAR(shadow(y, 77).high, 8000 * static_cast<double>(a[0]), 1e-9);
}

TEST_F(Wide, DoublesHaveTwiceTheirPrecision) {
    std::vector<double> values(kCount);
    long double exact = 0;
    for (int i = 0; i < kCount; ++i) {
        values[i] = 1.0 / (i + 3);
        exact += static_cast<long double>(values[i]) * static_cast<long double>(1.1);
    }
    const BufferId in = kit.input("values", values);
    const BufferId y = kit.output<double>("y", 32);
    EXPECT_EQ(describe(kit.run("double_sum", {1}, {32}, Buffer{in}, Buffer{y}, kCount)), "");
    const Shadow got = shadow(y, 5);
    EXPECT_NE(got.low, 0);
    EXPECT_LT(std::abs(static_cast<double>(static_cast<long double>(got.high) - exact + static_cast<long double>(got.low))), 1e-17);
}

TEST_F(Wide, BranchesFollowTheBits) {
    const BufferId step = kit.input("step", std::vector<float>{0.1f});
    const BufferId wide = kit.output<float>("wide", 32);
    const BufferId counts = kit.output<std::int32_t>("counts", 32);
    EXPECT_EQ(describe(kit.run("follows_bits", {1}, {32}, Buffer{step}, Buffer{wide}, Buffer{counts})), "");
    float sum = 0;
    int n = 0;
    for (; sum < 100.0f; ++n) sum += 0.1f;
    EXPECT_EQ(kit.read<std::int32_t>(counts)[0], n + static_cast<int>(sum));
    EXPECT_NEAR(shadow(wide, 0).high, n * static_cast<double>(0.1f), 1e-9);
}

TEST(WideArithmetic, SumsKeepWhatOneDoubleLoses) {
    const ShadowValue sum = wide_sum({.high = 1, .low = 0}, {.high = 0x1p-60, .low = 0x1p-120});
    EXPECT_EQ(sum.high, 1);
    EXPECT_EQ(sum.low, 0x1p-60);
}

}  // namespace
}  // namespace optiml::emulator
