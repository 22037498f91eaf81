// What one warp instruction costs: 32 lanes of the common operations, all active and half active, at each level of the CPU.

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "emulator/arithmetic/lane_rows.h"

namespace optiml::emulator {
namespace {

constexpr const char* kInstructions[] = {
    "add.f32 %r0, %r1, %r2;",
    "mul.f32 %r0, %r1, %r2;",
    "fma.rn.f32 %r0, %r1, %r2, %r3;",
    "fma.rn.ftz.f32 %r0, %r1, %r2, %r3;",
    "fma.rm.f32 %r0, %r1, %r2, %r3;",
    "fma.rn.f64 %d0, %d1, %d2, %d3;",
    "fma.rn.f16x2 %r0, %r1, %r2, %r3;",
    "max.f32 %r0, %r1, %r2;",
    "div.rn.f32 %r0, %r1, %r2;",
    "sqrt.rn.f32 %r0, %r1;",
    "ex2.approx.ftz.f32 %r0, %r1;",
    "lg2.approx.f32 %r0, %r1;",
    "sin.approx.f32 %r0, %r1;",
    "add.s32 %r0, %r1, %r2;",
    "add.s64 %d0, %d1, %d2;",
    "mul.lo.s32 %r0, %r1, %r2;",
    "mad.lo.s32 %r0, %r1, %r2, %r3;",
    "mul.wide.s32 %d0, %r1, %r2;",
    "mul.lo.s64 %d0, %d1, %d2;",
    "div.u32 %r0, %r1, %r2;",
    "rem.s32 %r0, %r1, %r2;",
    "div.s64 %d0, %d1, %d2;",
    "and.b32 %r0, %r1, %r2;",
    "shl.b32 %r0, %r1, %r2;",
    "shr.s32 %r0, %r1, %r2;",
    "shl.b64 %d0, %d1, %r2;",
    "setp.lt.s32 %p0, %r1, %r2;",
    "setp.lt.f32 %p0, %r1, %r2;",
    "setp.eq.s64 %p0, %d1, %d2;",
    "selp.b32 %r0, %r1, %r2, %p3;",
    "mov.u32 %r0, %r1;",
    "mov.u64 %d0, %d1;",
    "mov.b64 {%r0, %r9}, %d1;",
    "mov.b64 %d0, {%r1, %r2};",
    "and.pred %p0, %p1, %p2;",
    "cvt.s64.s32 %d0, %r1;",
    "cvt.u32.u64 %r0, %d1;",
    "cvt.s32.s8 %r0, %h1;",
    "cvt.rn.f32.s32 %r0, %r1;",
    "cvt.rzi.s32.f32 %r0, %r1;",
    "cvt.rni.f32.f32 %r0, %r1;",
    "cvt.sat.f32.f32 %r0, %r1;",
    "cvt.rn.f16.f32 %h0, %r1;",
    "cvt.f32.f16 %r0, %h1;",
    "cvt.rz.f32.s32 %r0, %r1;",
    "popc.b32 %r0, %r1;",
    "lop3.b32 %r0, %r1, %r2, %r3, 0x96;",
    "prmt.b32 %r0, %r1, %r2, %r3;",
    "bfi.b32 %r0, %r1, %r2, %r3, %r4;",
    "dp4a.s32.s32 %r0, %r1, %r2, %r3;",
    "add.cc.u32 %r0, %r1, %r2;",
};

void measure(benchmark::State& state, const std::string& text, Level level, LaneMask active) {
    auto rows = LaneRows::parse(text);
    if (!rows) return state.SkipWithError("does not parse");
    Lanes values;
    for (std::size_t source = 0; source < rows->source_count(); ++source) {
        for (int lane = 0; lane < kLanes; ++lane) values[lane] = 0x3f9e3779'3f800000ull + 977u * lane + 13u * source;
        rows->set_numbered(static_cast<int>(source) + 1, values);
    }
    const LaneFunction lane_function = rows->find(level);
    if (lane_function == nullptr) return state.SkipWithError("not emulated");
    const LaneOperands operands = rows->operands();
    for (auto _ : state) {
        lane_function(operands, active);
        benchmark::ClobberMemory();
    }
}

const bool registered = [] {
    const std::pair<const char*, Level> levels[] = {{"baseline", Level::baseline}, {"v3", Level::v3}, {"v4", Level::v4}};
    for (const auto& [name, level] : levels) {
        if (!is_offered(level)) continue;
        for (const std::string text : kInstructions)
            for (const LaneMask active : {0xffffffffu, 0x55555555u})
                benchmark::RegisterBenchmark((std::string(name) + "/" + text.substr(0, text.find(' ')) + (active == ~0u ? "" : "/half")).c_str(),
                                             measure, text, level, active);
    }
    return true;
}();

}  // namespace
}  // namespace optiml::emulator

BENCHMARK_MAIN();
