#include <gtest/gtest.h>

#include "emulator/execution/half.h"
#include "emulator/launch_kit.h"

namespace optiml::emulator {
namespace {

using Buffer = LaunchKit::Buffer;

// Small whole numbers: every product and sum is exact in every type.
double element_a(int row, int column) { return (row * 3 + column * 5) % 7 - 3; }
double element_b(int row, int column) { return (row * 2 + column * 3) % 5 - 2; }

struct Half {
    std::uint16_t bits;
    Half() = default;
    Half(double value) : bits(f16_of(static_cast<float>(value))) {}
    operator double() const { return float_of_f16(bits); }
};
struct Bfloat {
    std::uint16_t bits;
    Bfloat() = default;
    Bfloat(double value) : bits(bf16_of(static_cast<float>(value))) {}
};

struct Shape {
    int m, n, k;
    bool a_by_column = false;
    bool b_by_column = false;
};

template <class In, class Out>
void expect_product(const std::string& kernel, Shape shape) {
    LaunchKit kit = LaunchKit::from_file("matrices");
    ASSERT_EQ(kit.error(), "");
    std::vector<In> a(shape.m * shape.k), b(shape.k * shape.n);
    for (int row = 0; row < shape.m; ++row)
        for (int k = 0; k < shape.k; ++k) a[shape.a_by_column ? k * shape.m + row : row * shape.k + k] = static_cast<In>(element_a(row, k));
    for (int k = 0; k < shape.k; ++k)
        for (int column = 0; column < shape.n; ++column)
            b[shape.b_by_column ? column * shape.k + k : k * shape.n + column] = static_cast<In>(element_b(k, column));
    const BufferId in_a = kit.input("a", a);
    const BufferId in_b = kit.input("b", b);
    const BufferId out = kit.output<Out>("d", shape.m * shape.n);
    EXPECT_EQ(describe(kit.run(kernel, {1}, {32}, Buffer{in_a}, Buffer{in_b}, Buffer{out})), "");
    const std::vector<Out> d = kit.read<Out>(out);
    for (int row = 0; row < shape.m; ++row) {
        for (int column = 0; column < shape.n; ++column) {
            double sum = 1;
            for (int k = 0; k < shape.k; ++k) sum += element_a(row, k) * element_b(k, column);
            EXPECT_EQ(static_cast<double>(d[row * shape.n + column]), 2 * sum) << kernel << " " << row << " " << column;
        }
    }
}

TEST(Matrices, HalfInEveryLayout) {
    expect_product<Half, float>("half_row_row", {16, 16, 16});
    expect_product<Half, float>("half_col_col", {16, 16, 16, true, true});
    expect_product<Half, Half>("half_to_half", {16, 16, 16, false, true});
    expect_product<Half, float>("half_tall", {32, 8, 16});
}

TEST(Matrices, OtherTypes) {
    expect_product<Bfloat, float>("bfloat", {16, 16, 16});
    expect_product<float, float>("tensor_float", {16, 16, 8});
    expect_product<std::int8_t, std::int32_t>("bytes", {16, 16, 16, false, true});
    expect_product<double, double>("doubles", {8, 8, 4});
}

TEST(Matrices, FragmentsMadeByHand) { expect_product<Half, float>("by_hand", {16, 8, 16}); }

TEST(Matrices, TensorFloatsHaveTenBitsOfFraction) {
    LaunchKit kit = LaunchKit::from_file("matrices");
    const BufferId a = kit.input("a", std::vector<float>(128, 1.0f + 0x1p-12f));
    const BufferId b = kit.input("b", std::vector<float>(128, 1.0f));
    const BufferId d = kit.output<float>("d", 256);
    EXPECT_EQ(describe(kit.run("tensor_float", {1}, {32}, Buffer{a}, Buffer{b}, Buffer{d})), "");
    EXPECT_EQ(kit.read<float>(d)[17], 2 * (1 + 8.0f));
}

TEST(Matrices, UninitializedTilesAreNoticed) {
    LaunchKit kit = LaunchKit::from_file("matrices");
    const BufferId a = kit.input("a", std::vector<Half>(256, 1.0));
    const BufferId b = kit.input("b", std::vector<Half>(256, 1.0));
    const BufferId d = kit.output<float>("d", 256);
    EXPECT_EQ(describe(kit.run("half_shared", {1}, {32}, Buffer{a}, Buffer{b}, Buffer{d}, 16)), "");
    EXPECT_EQ(kit.read<float>(d)[255], 2 * 17.0f);
    const LaunchResult result = kit.run("half_shared", {1}, {32}, Buffer{a}, Buffer{b}, Buffer{d}, 15);
    ASSERT_EQ(result.findings.size(), 1u) << describe(result);
    EXPECT_EQ(result.findings[0].kind, FindingKind::uninitialized);
    EXPECT_EQ(result.findings[0].buffer, "shared");
}

TEST(Matrices, TilesBeyondTheBuffer) {
    LaunchKit kit = LaunchKit::from_file("matrices");
    const BufferId a = kit.input("a", std::vector<Half>(250, 1.0));
    const BufferId b = kit.input("b", std::vector<Half>(256, 1.0));
    const BufferId d = kit.output<float>("d", 256);
    const LaunchResult result = kit.run("half_row_row", {1}, {32}, Buffer{a}, Buffer{b}, Buffer{d});
    ASSERT_EQ(result.findings.size(), 1u) << describe(result);
    EXPECT_EQ(result.findings[0].kind, FindingKind::out_of_bounds);
    EXPECT_EQ(result.findings[0].buffer, "a");
}

TEST(Matrices, PartsOfAWarp) {
    LaunchKit kit = LaunchKit::from_file("matrices");
    const BufferId a = kit.input("a", std::vector<Half>(256, 1.0));
    const BufferId d = kit.output<float>("d", 256);
    const LaunchResult result = kit.run("half_row_row", {1}, {24}, Buffer{a}, Buffer{a}, Buffer{d});
    ASSERT_FALSE(result.findings.empty());
    EXPECT_EQ(result.findings[0].kind, FindingKind::shuffle);
}

}  // namespace
}  // namespace optiml::emulator
