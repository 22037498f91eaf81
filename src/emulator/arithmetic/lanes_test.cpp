#include "emulator/lanes.h"

#include <bit>

#include <gtest/gtest.h>

#include "emulator/arithmetic/lane_rows.h"

namespace optiml::emulator {
namespace {

using ptx::Opcode;
using ptx::Type;

class LanesTest : public testing::TestWithParam<Level> {
protected:
    void SetUp() override {
        if (!is_offered(GetParam())) GTEST_SKIP() << "this CPU does not offer the level";
    }
};
INSTANTIATE_TEST_SUITE_P(Levels, LanesTest, testing::Values(Level::baseline, Level::v3, Level::v4));

ptx::Instruction instruction(Opcode opcode, Type type) {
    ptx::Instruction made;
    made.opcode = opcode;
    made.modifiers.type = type;
    return made;
}

Lanes sequence(std::uint64_t first, std::uint64_t step) {
    Lanes values;
    for (int lane = 0; lane < kLanes; ++lane) values[lane] = first + step * lane;
    return values;
}

TEST_P(LanesTest, WritesActiveLanesOnly) {
    LaneRows rows(instruction(Opcode::add, Type::s32), {Type::b32}, {Type::b32, Type::b32});
    rows.set_destination(0, sequence(1000, 0));
    rows.set_source(0, sequence(0xfffffff0, 1));
    rows.set_source(1, sequence(1, 0));
    rows.run(rows.find(GetParam()), 0x0000ff0f);
    const Lanes sum = rows.destination(0);
    for (int lane = 0; lane < kLanes; ++lane)
        EXPECT_EQ(sum[lane], 0x0000ff0f >> lane & 1 ? static_cast<std::uint32_t>(0xfffffff1 + lane) : 1000u) << lane;
}

TEST_P(LanesTest, DestinationMayBeASource) {
    LaneRows rows(instruction(Opcode::mul, Type::u64), {Type::b64}, {Type::b64, Type::b64});
    rows.set_source(0, sequence(3, 5));
    rows.set_source(1, sequence(7, 0));
    rows.alias(0);
    rows.run(rows.find(GetParam()), 0x7fffffff);
    const Lanes product = rows.source(0);
    for (int lane = 0; lane < kLanes; ++lane) EXPECT_EQ(product[lane], (3 + 5u * lane) * (lane < 31 ? 7 : 1)) << lane;
}

TEST_P(LanesTest, FusesMultiplyAdd) {
    LaneRows rows(instruction(Opcode::fma, Type::f32), {Type::f32}, {Type::f32, Type::f32, Type::f32});
    const float a = 1.0f + 0x1p-12f;
    rows.set_source(0, sequence(std::bit_cast<std::uint32_t>(a), 0));
    rows.set_source(1, sequence(std::bit_cast<std::uint32_t>(a), 0));
    rows.set_source(2, sequence(std::bit_cast<std::uint32_t>(-1.0f - 0x1p-11f), 0));
    rows.run(rows.find(GetParam()));
    EXPECT_EQ(rows.destination(0)[17], std::bit_cast<std::uint32_t>(0x1p-24f));
}

}  // namespace
}  // namespace optiml::emulator
