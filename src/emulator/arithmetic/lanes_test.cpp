#include "emulator/lanes.h"

#include <bit>

#include <gtest/gtest.h>

#include "emulator/arithmetic/lane_rows.h"

namespace optiml::emulator {
namespace {

TEST(Lanes, HaveNoFunctionForMemoryControlAndOtherLanes) {
    for (const char* text : {"bar.sync 0;", "membar.gl;", "shfl.sync.idx.b32 %r0, %r1, 0, 31, -1;", "activemask.b32 %r0;",
                             "cvta.to.global.u64 %d0, %d1;", "ld.global.f32 %r0, [%d1];", "trap;"}) {
        const auto rows = LaneRows::parse(text);
        ASSERT_TRUE(rows) << text;
        for (const Level level : {Level::baseline, Level::v3, Level::v4}) {
            if (!is_offered(level)) continue;
            EXPECT_EQ(rows->find(level), nullptr) << text;
        }
    }
}

TEST(Lanes, TellTheWidthInWhichAnOperandIsRead) {
    const struct {
        const char* text;
        std::vector<std::uint32_t> widths;
    } cases[] = {
        {"add.s64 %d0, %d1, 5;", {64, 64}},
        {"shl.b64 %d0, %d1, 5;", {64, 32}},
        {"shr.s16 %h0, -3, 5;", {16, 32}},
        {"bfe.u64 %d0, 7, 5, 3;", {64, 32, 32}},
        {"bfi.b64 %d0, 7, 5, 3, 1;", {64, 64, 32, 32}},
        {"selp.f64 %d0, 0d0000000000000000, %d2, %p3;", {64, 64, 1}},
        {"mad.wide.u16 %r0, 3, 4, 5;", {16, 16, 32}},
        {"mad.wide.u32 %d0, %r1, 4, 5;", {32, 32, 64}},
        {"cvt.u64.u16 %d0, 5;", {16}},
        {"cvt.u16.u32 %r0, %d1;", {64}},
        {"set.eq.u32.f64 %r0, %d1, 0d0000000000000000;", {64, 64}},
        {"slct.f64.s32 %d0, %d1, %d2, 1;", {64, 64, 32}},
        {"mov.b64 %d0, {%r1, 5};", {32, 32}},
        {"mov.b32 %r0, {5, %h2};", {16, 16}},
        {"mov.pred %p0, -1;", {1}},
    };
    for (const auto& [text, widths] : cases) {
        const auto rows = LaneRows::parse(text);
        ASSERT_TRUE(rows) << text;
        for (std::uint32_t index = 0; index < widths.size(); ++index)
            EXPECT_EQ(source_width(rows->function(), rows->instruction(), index), widths[index]) << text << " source " << index;
    }
}

}  // namespace
}  // namespace optiml::emulator
