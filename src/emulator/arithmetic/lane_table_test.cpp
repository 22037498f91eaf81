// One readable line for what each family of instructions does with its special values; the expected words are worked out by hand from
// the PTX ISA.

#include <gtest/gtest.h>

#include "emulator/arithmetic/lane_rows.h"

namespace optiml::emulator {
namespace {

struct Line {
    const char* text;
    std::vector<std::uint64_t> sources;  // of registers 1, 2, 3, 4
    std::vector<std::uint64_t> results;
    LaneMask carry_in = 0;
    LaneMask carry_out = 0;
};

constexpr std::uint64_t kOnes64 = ~std::uint64_t{0};
constexpr LaneMask kSet = ~LaneMask{0};
constexpr std::uint64_t kInfinity = 0x7f800000, kNan = 0x7fffffff;

void check(const std::vector<Line>& lines) {
    for (const Line& line : lines) {
        auto rows = LaneRows::parse(line.text);
        ASSERT_TRUE(rows) << line.text;
        for (const Level level : {Level::baseline, Level::v3, Level::v4}) {
            if (!is_offered(level)) continue;
            const LaneFunction function = rows->find(level);
            ASSERT_NE(function, nullptr) << line.text;
            for (std::size_t source = 0; source < line.sources.size(); ++source) {
                Lanes values;
                values.fill(line.sources[source]);
                rows->set_numbered(static_cast<int>(source) + 1, values);
            }
            rows->carry = line.carry_in;
            rows->run(function);
            for (std::size_t index = 0; index < line.results.size(); ++index)
                EXPECT_EQ(rows->destination(index)[13], line.results[index]) << line.text << std::hex << " of " << testing::PrintToString(line.sources);
            EXPECT_EQ(rows->carry, line.carry_out) << line.text;
        }
    }
}

TEST(LaneTable, IntegerArithmetic) {
    check({
        {"add.s32 %r0, %r1, %r2;", {0x7fffffff, 1}, {0x80000000}},
        {"add.sat.s32 %r0, %r1, %r2;", {0x7fffffff, 1}, {0x7fffffff}},
        {"sub.sat.s32 %r0, %r1, %r2;", {0x80000000, 1}, {0x80000000}},
        {"add.u16 %h0, %h1, %h2;", {0xffff, 2}, {1}},
        {"sub.s64 %d0, %d1, %d2;", {0, 1}, {kOnes64}},
        {"add.u16x2 %r0, %r1, %r2;", {0x0001ffff, 0x00010001}, {0x00020000}},
        {"mul.lo.u32 %r0, %r1, %r2;", {0x10001, 0x10001}, {0x20001}},
        {"mul.hi.u32 %r0, %r1, %r2;", {0xffffffff, 0xffffffff}, {0xfffffffe}},
        {"mul.hi.s32 %r0, %r1, %r2;", {0xffffffff, 0xffffffff}, {0}},
        {"mul.hi.u64 %d0, %d1, %d2;", {kOnes64, 16}, {15}},
        {"mul.hi.s64 %d0, %d1, %d2;", {kOnes64, 16}, {kOnes64}},
        {"mul.wide.s16 %r0, %h1, %h2;", {0x8000, 0x8000}, {0x40000000}},
        {"mul.wide.u32 %d0, %r1, %r2;", {0xffffffff, 0xffffffff}, {0xfffffffe00000001}},
        {"mad.wide.s32 %d0, %r1, %r2, %d3;", {0xffffffff, 5, 3}, {kOnes64 - 1}},
        {"mad.hi.sat.s32 %r0, %r1, %r2, %r3;", {0x40000000, 0x40000000, 0x7fffffff}, {0x7fffffff}},
        {"mul24.lo.u32 %r0, %r1, %r2;", {0xff000003, 0xaa000005}, {15}},
        {"mul24.hi.s32 %r0, %r1, %r2;", {0x00800000, 0x00010000}, {0xff800000}},
        {"mad24.lo.s32 %r0, %r1, %r2, %r3;", {0x00ffffff, 7, 1}, {0xfffffffa}},
        {"neg.s32 %r0, %r1;", {0x80000000}, {0x80000000}},
        {"abs.s16 %h0, %h1;", {0x8000}, {0x8000}},
        {"abs.s64 %d0, %d1;", {kOnes64}, {1}},
        {"min.s32 %r0, %r1, %r2;", {0xffffffff, 1}, {0xffffffff}},
        {"min.u32 %r0, %r1, %r2;", {0xffffffff, 1}, {1}},
        {"max.s16 %h0, %h1, %h2;", {0xffff, 1}, {1}},
        {"max.relu.s32 %r0, %r1, %r2;", {0xffffffff, 0xfffffffe}, {0}},
        {"min.s16x2 %r0, %r1, %r2;", {0x8000ffff, 0x7fff0001}, {0x8000ffff}},
        {"sad.u32 %r0, %r1, %r2, %r3;", {3, 0xffffffff, 10}, {6}},
        {"sad.s32 %r0, %r1, %r2, %r3;", {3, 0xffffffff, 10}, {14}},
        {"div.u32 %r0, %r1, %r2;", {0xffffffff, 10}, {429496729}},
        {"div.u32 %r0, %r1, %r2;", {7, 0}, {0xffffffff}},
        {"rem.u32 %r0, %r1, %r2;", {7, 0}, {0xffffffff}},
        {"div.s32 %r0, %r1, %r2;", {static_cast<std::uint32_t>(-7), 2}, {static_cast<std::uint32_t>(-3)}},
        {"rem.s32 %r0, %r1, %r2;", {static_cast<std::uint32_t>(-7), 2}, {static_cast<std::uint32_t>(-1)}},
        {"div.s32 %r0, %r1, %r2;", {0x80000000, 0xffffffff}, {0x80000000}},
        {"rem.s32 %r0, %r1, %r2;", {0x80000000, 0xffffffff}, {0}},
        {"div.s64 %d0, %d1, %d2;", {std::uint64_t{1} << 63, kOnes64}, {std::uint64_t{1} << 63}},
        {"rem.u64 %d0, %d1, %d2;", {kOnes64, 10}, {5}},
        {"div.s16 %h0, %h1, %h2;", {0xfff9, 2}, {0xfffd}},
    });
}

TEST(LaneTable, Carries) {
    check({
        {"add.cc.u32 %r0, %r1, %r2;", {0xffffffff, 1}, {0}, 0, kSet},
        {"add.cc.u32 %r0, %r1, %r2;", {1, 1}, {2}, kSet, 0},
        {"addc.cc.u32 %r0, %r1, %r2;", {0xffffffff, 0}, {0}, kSet, kSet},
        {"addc.u64 %d0, %d1, %d2;", {kOnes64, 1}, {1}, kSet, kSet},
        {"sub.cc.u32 %r0, %r1, %r2;", {0, 1}, {0xffffffff}, 0, kSet},
        {"subc.cc.u32 %r0, %r1, %r2;", {5, 5}, {0xffffffff}, kSet, kSet},
        {"subc.s32 %r0, %r1, %r2;", {5, 3}, {1}, kSet, kSet},
        {"mad.lo.cc.u32 %r0, %r1, %r2, %r3;", {0x10000, 0x10000, 9}, {9}, 0, 0},
        {"mad.lo.cc.u32 %r0, %r1, %r2, %r3;", {3, 5, 0xffffffff}, {14}, 0, kSet},
        {"madc.hi.u32 %r0, %r1, %r2, %r3;", {0x10000, 0x10000, 9}, {11}, kSet, kSet},
        {"madc.hi.cc.s32 %r0, %r1, %r2, %r3;", {0xffffffff, 1, 0}, {0}, kSet, kSet},
    });
}

TEST(LaneTable, BitsAndShifts) {
    check({
        {"popc.b64 %r0, %d1;", {0xf0f0f0f0f0f0f0f0}, {32}},
        {"clz.b32 %r0, %r1;", {0}, {32}},
        {"clz.b64 %r0, %d1;", {1}, {63}},
        {"brev.b32 %r0, %r1;", {0x00000001}, {0x80000000}},
        {"brev.b64 %d0, %d1;", {0x00000000000000f0}, {0x0f00000000000000}},
        {"bfind.u32 %r0, %r1;", {0}, {0xffffffff}},
        {"bfind.u32 %r0, %r1;", {0x00ffffff}, {23}},
        {"bfind.s32 %r0, %r1;", {0xfffffff0}, {3}},
        {"bfind.shiftamt.u32 %r0, %r1;", {0x00ffffff}, {8}},
        {"bfind.s64 %r0, %d1;", {kOnes64}, {0xffffffff}},
        {"bfe.u32 %r0, %r1, %r2, %r3;", {0xabcd1234, 8, 8}, {0x12}},
        {"bfe.s32 %r0, %r1, %r2, %r3;", {0xabcd1234, 16, 8}, {0xffffffcd}},
        {"bfe.s32 %r0, %r1, %r2, %r3;", {0x80000000, 40, 4}, {0xffffffff}},
        {"bfe.u64 %d0, %d1, %r2, %r3;", {0x123456789abcdef0, 60, 20}, {1}},
        {"bfi.b32 %r0, %r1, %r2, %r3, %r4;", {0xff, 0, 28, 8}, {0xf0000000}},
        {"bfi.b32 %r0, %r1, %r2, %r3, %r4;", {0xff, 0x12345678, 4, 0}, {0x12345678}},
        {"bfi.b64 %d0, %d1, %d2, %r3, %r4;", {0, kOnes64, 32, 16}, {0xffff0000ffffffff}},
        {"bmsk.clamp.b32 %r0, %r1, %r2;", {4, 8}, {0xff0}},
        {"bmsk.clamp.b32 %r0, %r1, %r2;", {4, 40}, {0xfffffff0}},
        {"bmsk.wrap.b32 %r0, %r1, %r2;", {36, 40}, {0xff0}},
        {"szext.clamp.s32 %r0, %r1, %r2;", {0x80, 8}, {0xffffff80}},
        {"szext.wrap.u32 %r0, %r1, %r2;", {0xffff, 36}, {0xf}},
        {"fns.b32 %r0, %r1, %r2, %r3;", {0xaaaaaaaa, 3, 2}, {5}},
        {"fns.b32 %r0, %r1, %r2, %r3;", {0xaaaaaaaa, 3, 0xffffffff}, {3}},
        {"fns.b32 %r0, %r1, %r2, %r3;", {0xaaaaaaaa, 2, 0}, {0xffffffff}},
        {"shl.b32 %r0, %r1, %r2;", {1, 32}, {0}},
        {"shl.b16 %h0, %h1, %r2;", {0xffff, 12}, {0xf000}},
        {"shl.b64 %d0, %d1, %r2;", {1, 63}, {std::uint64_t{1} << 63}},
        {"shr.s32 %r0, %r1, %r2;", {0x80000000, 0xffffffff}, {0xffffffff}},
        {"shr.u32 %r0, %r1, %r2;", {0x80000000, 0xffffffff}, {0}},
        {"shr.s16 %h0, %h1, %r2;", {0x8000, 15}, {0xffff}},
        {"shf.l.wrap.b32 %r0, %r1, %r2, %r3;", {0x80000000, 1, 33}, {3}},
        {"shf.l.clamp.b32 %r0, %r1, %r2, %r3;", {0x12345678, 0x9abcdef0, 40}, {0x12345678}},
        {"shf.r.clamp.b32 %r0, %r1, %r2, %r3;", {0x12345678, 0x9abcdef0, 40}, {0x9abcdef0}},
        {"shf.r.wrap.b32 %r0, %r1, %r2, %r3;", {0x12345678, 0x9abcdef0, 8}, {0xf0123456}},
        {"and.b16 %h0, %h1, -32768;", {0xffff}, {0x8000}},
        {"cnot.b32 %r0, %r1;", {0}, {1}},
        {"cnot.b64 %d0, %d1;", {std::uint64_t{1} << 40}, {0}},
        {"not.b16 %h0, %h1;", {0x00ff}, {0xff00}},
        {"lop3.b32 %r0, %r1, %r2, %r3, 0x96;", {0xf0f0f0f0, 0xcccccccc, 0xaaaaaaaa}, {0x96969696}},
        {"lop3.b32 %r0, %r1, %r2, %r3, 0x4D;", {0xf0f0f0f0, 0xcccccccc, 0xaaaaaaaa}, {0x4d4d4d4d}},
        {"prmt.b32 %r0, %r1, %r2, %r3;", {0x33221100, 0x77665584, 0xc047}, {0xff008477}},
        {"prmt.b32.f4e %r0, %r1, %r2, %r3;", {0x33221100, 0x77665544, 1}, {0x44332211}},
        {"prmt.b32.b4e %r0, %r1, %r2, %r3;", {0x33221100, 0x77665544, 1}, {0x66770011}},
        {"prmt.b32.rc16 %r0, %r1, %r2, %r3;", {0x33221100, 0x77665544, 1}, {0x33223322}},
        {"dp4a.s32.u32 %r0, %r1, %r2, %r3;", {0xff01ff01, 0xff010203, 1000}, {1000 + 3 - 2 + 1 - 255}},
        {"dp2a.hi.u32.u32 %r0, %r1, %r2, %r3;", {0xffff0002, 0x0103aaaa, 5}, {5 + 6 + 0xffff}},
        {"vabsdiff4.u32.u32.u32 %r0, %r1, %r2, %r3;", {0x01ff0510, 0xff010520, 7}, {0xfefe0010}},
        {"vabsdiff4.u32.u32.u32.add %r0, %r1, %r2, %r3;", {0x01ff0510, 0xff010520, 7}, {254 + 254 + 16 + 7}},
        {"vabsdiff2.s32.s32.s32.sat %r0, %r1, %r2, %r3;", {0x80000001, 0x7fff0003, 0}, {0x7fff0002}},
    });
}

TEST(LaneTable, FloatSpecialValues) {
    check({
        {"add.f32 %r0, %r1, %r2;", {kInfinity, 0xff800000}, {kNan}},
        {"add.f32 %r0, %r1, %r2;", {0xffc00123, 0}, {kNan}},
        {"add.rm.f32 %r0, %r1, %r2;", {0x3f800000, 0xbf800000}, {0x80000000}},
        {"add.rz.f32 %r0, %r1, %r2;", {0x7f7fffff, 0x7f7fffff}, {0x7f7fffff}},
        {"mul.f32 %r0, %r1, %r2;", {0, 0xff800000}, {kNan}},
        {"mul.f32 %r0, %r1, %r2;", {0x00000003, 0x3f000000}, {2}},
        {"mul.ftz.f32 %r0, %r1, %r2;", {0x00000003, 0x7f000000}, {0}},
        {"mul.sat.f32 %r0, %r1, %r2;", {0x40000000, 0x40000000}, {0x3f800000}},
        {"mul.sat.f32 %r0, %r1, %r2;", {0, kInfinity}, {0}},
        {"fma.rn.f32 %r0, %r1, %r2, %r3;", {0x3f800800, 0x3f800800, 0xbf801000}, {0x33800000}},  // (1 + 2^-12)^2 - 1 - 2^-11
        {"fma.rp.f32 %r0, %r1, %r2, %r3;", {0x3f800000, 0x00000001, 0x3f800000}, {0x3f800001}},
        {"div.rn.f32 %r0, %r1, %r2;", {0x3f800000, 0x80000000}, {0xff800000}},
        {"div.approx.f32 %r0, %r1, %r2;", {0x3f800000, 0x7f000000}, {0}},
        {"sqrt.rn.f32 %r0, %r1;", {0x80000000}, {0x80000000}},
        {"sqrt.rn.f32 %r0, %r1;", {0xbf800000}, {kNan}},
        {"min.f32 %r0, %r1, %r2;", {kNan, 0x40000000}, {0x40000000}},
        {"min.f32 %r0, %r1, %r2;", {0, 0x80000000}, {0x80000000}},
        {"max.f32 %r0, %r1, %r2;", {0x80000000, 0}, {0}},
        {"max.NaN.f32 %r0, %r1, %r2;", {0xffc00000, 0x40000000}, {kNan}},
        {"min.xorsign.abs.f32 %r0, %r1, %r2;", {0xc0000000, 0x3f800000}, {0xbf800000}},
        {"abs.ftz.f32 %r0, %r1;", {0x80000001}, {0}},
        {"neg.f32 %r0, %r1;", {0}, {0x80000000}},
        {"copysign.f32 %r0, %r1, %r2;", {0x80000000, 0x3f800000}, {0xbf800000}},
        {"testp.subnormal.f32 %p0, %r1;", {1}, {1}},
        {"testp.normal.f32 %p0, %r1;", {0}, {1}},
        {"testp.notanumber.f64 %p0, %d1;", {0x7ff8000000000000}, {1}},
        {"add.f64 %d0, %d1, %d2;", {0x7ff0000000000001, 0x3ff0000000000000}, {0x7ff8000000000001}},
        {"mul.f64 %d0, %d1, %d2;", {0x7ff0000000000000, 0}, {0xfff8000000000000}},
        {"div.rp.f64 %d0, %d1, %d2;", {0x3ff0000000000000, 0x4008000000000000}, {0x3fd5555555555556}},
        {"ex2.approx.f32 %r0, %r1;", {0xff800000}, {0}},
        {"ex2.approx.f32 %r0, %r1;", {0x40400000}, {0x41000000}},
        {"lg2.approx.f32 %r0, %r1;", {0}, {0xff800000}},
        {"lg2.approx.f32 %r0, %r1;", {1}, {0xc3150000}},  // 2^-149
        {"rcp.approx.f32 %r0, %r1;", {0x80000000}, {0xff800000}},
        {"rsqrt.approx.f32 %r0, %r1;", {0x40800000}, {0x3f000000}},
        {"sin.approx.f32 %r0, %r1;", {kInfinity}, {kNan}},
        {"cos.approx.f32 %r0, %r1;", {0}, {0x3f800000}},
        {"tanh.approx.f32 %r0, %r1;", {0xff800000}, {0xbf800000}},
        {"rcp.approx.ftz.f64 %d0, %d1;", {0x4008000000000000}, {0x3fd5555500000000}},
        {"rsqrt.approx.ftz.f64 %d0, %d1;", {0x4010000000000000}, {0x3fe0000000000000}},
        {"add.f16 %h0, %h1, %h2;", {0x7bff, 0x7bff}, {0x7c00}},
        {"add.sat.f16 %h0, %h1, %h2;", {0x3c00, 0x3c00}, {0x3c00}},
        {"fma.rn.relu.f16 %h0, %h1, %h2, %h3;", {0x3c00, 0xbc00, 0}, {0}},
        {"fma.rn.bf16x2 %r0, %r1, %r2, %r3;", {0x3f804000, 0x40004000, 0x3f800000}, {0x40404080}},
        {"mul.ftz.f16x2 %r0, %r1, %r2;", {0x3c000001, 0x44003c00}, {0x44000000}},
        {"neg.bf16 %h0, %h1;", {0x3f80}, {0xbf80}},
        {"max.f16x2 %r0, %r1, %r2;", {0x7e003c00, 0xc0004000}, {0xc0004000}},
    });
}

TEST(LaneTable, ComparisonsAndSelection) {
    check({
        {"setp.lt.s32 %p0, %r1, %r2;", {0xffffffff, 0}, {1}},
        {"setp.lo.u32 %p0, %r1, %r2;", {0xffffffff, 0}, {0}},
        {"setp.ne.f32 %p0, %r1, %r2;", {kNan, 0}, {0}},
        {"setp.neu.f32 %p0, %r1, %r2;", {kNan, 0}, {1}},
        {"setp.geu.f32 %p0, %r1, %r2;", {0x3f800000, 0x40000000}, {0}},
        {"setp.num.f64 %p0, %d1, %d2;", {0, 0x7ff8000000000000}, {0}},
        {"setp.eq.ftz.f32 %p0, %r1, %r2;", {1, 0x80000000}, {1}},
        {"setp.eq.f32 %p0, %r1, %r2;", {0, 0x80000000}, {1}},
        {"setp.gt.and.s16 %p0|%p9, %h1, %h2, %p3;", {1, 0xffff, 1}, {1, 0}},
        {"setp.gt.xor.s16 %p0|%p9, %h1, %h2, !%p3;", {1, 0xffff, 1}, {1, 0}},
        {"setp.gt.or.u16 %p0|%p9, %h1, %h2, %p3;", {1, 0xffff, 0}, {0, 1}},
        {"setp.lt.f16x2 %p0|%p9, %r1, %r2;", {0x3c004000, 0x40003c00}, {0, 1}},
        {"set.lt.u32.s32 %r0, %r1, %r2;", {0xffffffff, 0}, {0xffffffff}},
        {"set.gt.f32.f64 %r0, %d1, %d2;", {0x4000000000000000, 0}, {0x3f800000}},
        {"set.eq.f16.f16 %h0, %h1, %h2;", {0x3c00, 0x3c00}, {0x3c00}},
        {"set.gt.f16x2.f16x2 %r0, %r1, %r2;", {0x40003c00, 0x3c003c00}, {0x3c000000}},
        {"selp.b64 %d0, %d1, %d2, %p3;", {1, 2, 0}, {2}},
        {"slct.b32.f32 %r0, %r1, %r2, %r3;", {1, 2, 0x80000000}, {1}},
        {"slct.b32.f32 %r0, %r1, %r2, %r3;", {1, 2, kNan}, {2}},
        {"slct.u64.s32 %d0, %d1, %d2, %r3;", {1, 2, 0xffffffff}, {2}},
        {"and.pred %p0, %p1, !%p2;", {1, 0}, {1}},
        {"xor.pred %p0, %p1, %p2;", {1, 1}, {0}},
        {"not.pred %p0, %p1;", {1}, {0}},
        {"mov.pred %p0, -1;", {}, {1}},
        {"mov.b32 %r0, {%h1, %h2};", {0x1234, 0x5678}, {0x56781234}},
        {"mov.b64 {%r0, %r9}, %d1;", {0x123456789abcdef0}, {0x9abcdef0, 0x12345678}},
        {"mov.b64 %d0, {%h1, %h2, %h3, %h4};", {1, 2, 3, 4}, {0x0004000300020001}},
    });
}

TEST(LaneTable, Conversions) {
    check({
        {"cvt.s64.s32 %d0, %r1;", {0x80000000}, {0xffffffff80000000}},
        {"cvt.u64.s32 %d0, %r1;", {0x80000000}, {0xffffffff80000000}},
        {"cvt.s16.s8 %h0, %h1;", {0x1280}, {0xff80}},
        {"cvt.s32.s8 %r0, %h1;", {0x0080}, {0xffffff80}},
        {"cvt.u16.s8 %r0, %h1;", {0x0080}, {0x0000ff80}},
        {"cvt.sat.u8.s32 %h0, %r1;", {0xffffffff}, {0}},
        {"cvt.sat.s8.s32 %h0, %r1;", {1000}, {127}},
        {"cvt.sat.u32.s64 %r0, %d1;", {std::uint64_t{1} << 40}, {0xffffffff}},
        {"cvt.rzi.s32.f32 %r0, %r1;", {0x4f000000}, {0x7fffffff}},  // 2^31
        {"cvt.rzi.s32.f32 %r0, %r1;", {kNan}, {0}},
        {"cvt.rzi.u32.f32 %r0, %r1;", {0xbf800000}, {0}},
        {"cvt.rzi.u8.f32 %h0, %r1;", {0x43960000}, {255}},  // 300
        {"cvt.rni.s32.f32 %r0, %r1;", {0x40200000}, {2}},   // 2.5
        {"cvt.rmi.s32.f32 %r0, %r1;", {0xbf000000}, {0xffffffff}},
        {"cvt.rpi.s32.f64 %r0, %d1;", {0x3ff0000000000001}, {2}},
        {"cvt.rzi.u64.f32 %d0, %r1;", {kInfinity}, {kOnes64}},
        {"cvt.rzi.s64.f64 %d0, %d1;", {0xc3f0000000000000}, {std::uint64_t{1} << 63}},  // -2^64
        {"cvt.rn.f32.s32 %r0, %r1;", {0x7fffffff}, {0x4f000000}},
        {"cvt.rz.f32.s32 %r0, %r1;", {0x7fffffff}, {0x4effffff}},
        {"cvt.rn.f32.u64 %r0, %d1;", {0x8000008000000001}, {0x5f000001}},  // above the tie
        {"cvt.rm.f64.s64 %d0, %d1;", {static_cast<std::uint64_t>(-((1ll << 53) + 1))}, {0xc340000000000001}},
        {"cvt.rn.f16.u32 %h0, %r1;", {65519}, {0x7bff}},
        {"cvt.rn.f16.u32 %h0, %r1;", {65520}, {0x7c00}},
        {"cvt.rn.f32.f64 %r0, %d1;", {0x36a0000000000000}, {1}},  // 2^-149
        {"cvt.rn.ftz.f32.f64 %r0, %d1;", {0x36a0000000000000}, {0}},
        {"cvt.rn.f16.f32 %h0, %r1;", {0x477fefff}, {0x7bff}},  // below 65520
        {"cvt.rz.f16.f32 %h0, %r1;", {0x7f7fffff}, {0x7bff}},
        {"cvt.rn.f16x2.f32 %r0, %r1, %r2;", {0x3f800000, 0x40000000}, {0x3c004000}},
        {"cvt.rn.relu.bf16x2.f32 %r0, %r1, %r2;", {0xbf800000, 0x40000000}, {0x00004000}},
        {"cvt.rn.satfinite.f16x2.f32 %r0, %r1, %r2;", {kInfinity, 0xff800000}, {0x7bfffbff}},
        {"cvt.rn.bf16.f32 %h0, %r1;", {0x3f808000}, {0x3f80}},  // a tie, to even
        {"cvt.rna.tf32.f32 %r0, %r1;", {0x3f801000}, {0x3f802000}},
        {"cvt.rn.tf32.f32 %r0, %r1;", {0x3f801000}, {0x3f800000}},
        {"cvt.rn.satfinite.e4m3x2.f32 %h0, %r1, %r2;", {0x43e00000, 0x447a0000}, {0x7e7e}},  // 448 and 1000
        {"cvt.rn.f16x2.e5m2x2 %r0, %h1;", {0x3c7b}, {0x3c007b00}},
        {"cvt.sat.f32.f32 %r0, %r1;", {0xbf800000}, {0}},
        {"cvt.sat.f32.f32 %r0, %r1;", {kNan}, {0}},
        {"cvt.rpi.f32.f32 %r0, %r1;", {0xbf000000}, {0x80000000}},
        {"cvt.rni.f64.f64 %d0, %d1;", {0x3fe0000000000000}, {0}},
        {"cvt.f32.f16 %r0, %h1;", {0x0001}, {0x33800000}},
        {"cvt.f32.bf16 %r0, %h1;", {0x3f80}, {0x3f800000}},
    });
}

}  // namespace
}  // namespace optiml::emulator
