#include "task/scalar_type.h"

#include <cmath>
#include <cstring>
#include <limits>

#include <gtest/gtest.h>

namespace optiml::task {
namespace {

std::uint16_t bits16(ScalarType type, double value) {
    std::uint16_t bits = 0;
    store_float(type, value, reinterpret_cast<std::uint8_t*>(&bits));
    return bits;
}

double value16(ScalarType type, std::uint16_t bits) { return load_float(type, reinterpret_cast<const std::uint8_t*>(&bits)); }

TEST(ScalarType, IsFoundByEitherName) {
    EXPECT_EQ(scalar_type_named("f32"), ScalarType::f32);
    EXPECT_EQ(scalar_type_named("float"), ScalarType::f32);
    EXPECT_EQ(scalar_type_named("unsigned char"), ScalarType::u8);
    EXPECT_EQ(scalar_type_named("f128"), std::nullopt);
}

struct HalfCase {
    double value;
    std::uint16_t half;
    std::uint16_t bfloat;
};

class SmallFloats : public testing::TestWithParam<HalfCase> {};

TEST_P(SmallFloats, RoundToNearestEven) {
    EXPECT_EQ(bits16(ScalarType::f16, GetParam().value), GetParam().half);
    EXPECT_EQ(bits16(ScalarType::bf16, GetParam().value), GetParam().bfloat);
    EXPECT_EQ(bits16(ScalarType::f16, -GetParam().value), GetParam().half | 0x8000);
}

INSTANTIATE_TEST_SUITE_P(Table, SmallFloats,
                         testing::Values(HalfCase{0, 0x0000, 0x0000}, HalfCase{1, 0x3c00, 0x3f80}, HalfCase{0.5, 0x3800, 0x3f00},
                                         HalfCase{65504, 0x7bff, 0x4780}, HalfCase{65519, 0x7bff, 0x4780},
                                         HalfCase{65520, 0x7c00, 0x4780}, HalfCase{1e30, 0x7c00, 0x714a},
                                         HalfCase{2049, 0x6800, 0x4500}, HalfCase{2051, 0x6802, 0x4500},
                                         HalfCase{0x1p-24, 0x0001, 0x3380}, HalfCase{0x1p-25, 0x0000, 0x3300},
                                         HalfCase{0x1.8p-25, 0x0001, 0x3340}, HalfCase{0x1p-14, 0x0400, 0x3880},
                                         HalfCase{0x1.ff8p-15, 0x03ff, 0x3880}, HalfCase{0x1.ffcp-15, 0x0400, 0x3880},
                                         HalfCase{std::numeric_limits<double>::infinity(), 0x7c00, 0x7f80}));

TEST(SmallFloats, EveryBitPatternSurvivesARoundTrip) {
    for (const ScalarType type : {ScalarType::f16, ScalarType::bf16}) {
        for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
            const double value = value16(type, static_cast<std::uint16_t>(bits));
            if (std::isnan(value)) continue;
            ASSERT_EQ(bits16(type, value), bits) << name_of(type) << " " << value;
        }
        EXPECT_EQ(bits16(type, std::nan("")), 0x7fff);
    }
}

TEST(Integers, AreKeptWithinTheirRange) {
    std::uint8_t bytes[8];
    store_float(ScalarType::u8, 300.7, bytes);
    EXPECT_EQ(load_integer(ScalarType::u8, bytes), 255);
    store_float(ScalarType::i8, -300.7, bytes);
    EXPECT_EQ(load_integer(ScalarType::i8, bytes), -128);
    store_float(ScalarType::i32, -1.9, bytes);
    EXPECT_EQ(load_integer(ScalarType::i32, bytes), -1);
    store_float(ScalarType::i64, 1e30, bytes);
    EXPECT_EQ(load_integer(ScalarType::i64, bytes), INT64_MAX);
    store_float(ScalarType::u64, 1e30, bytes);
    EXPECT_EQ(load_float(ScalarType::u64, bytes), 0x1p64);
    store_float(ScalarType::u32, std::nan(""), bytes);
    EXPECT_EQ(load_integer(ScalarType::u32, bytes), 0);
}

TEST(Integers, KnowWhatTheyCanHold) {
    EXPECT_TRUE(can_hold(ScalarType::i32, INT32_MAX));
    EXPECT_FALSE(can_hold(ScalarType::i32, INT64_C(1) << 31));
    EXPECT_TRUE(can_hold(ScalarType::i32, INT32_MIN));
    EXPECT_TRUE(can_hold(ScalarType::u32, UINT32_MAX));
    EXPECT_FALSE(can_hold(ScalarType::u32, -1));
    EXPECT_TRUE(can_hold(ScalarType::u64, INT64_MAX));
    EXPECT_FALSE(can_hold(ScalarType::u64, -1));
    EXPECT_TRUE(can_hold(ScalarType::i64, INT64_MIN));
}

}  // namespace
}  // namespace optiml::task
