// What one warp instruction costs: 32 lanes of the common operations, all active and half active, at each level of the CPU.

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "emulator/arithmetic/lane_rows.h"

namespace optiml::emulator {
namespace {

using enum ptx::Type;
using ptx::Opcode;

struct Case {
    const char* name;
    Opcode opcode;
    ptx::Modifiers modifiers;
    std::vector<ptx::Type> destinations;
    std::vector<ptx::Type> sources;
};

std::vector<Case> cases() {
    using ptx::Modifiers;
    const auto rzi = ptx::Rounding::rzi;
    return {
        {"add.f32", Opcode::add, {.type = f32}, {f32}, {f32, f32}},
        {"mul.f32", Opcode::mul, {.type = f32}, {f32}, {f32, f32}},
        {"fma.rn.f32", Opcode::fma, {.type = f32}, {f32}, {f32, f32, f32}},
        {"fma.rn.ftz.f32", Opcode::fma, {.type = f32, .ftz = true}, {f32}, {f32, f32, f32}},
        {"fma.rm.f32", Opcode::fma, {.type = f32, .rounding = ptx::Rounding::rm}, {f32}, {f32, f32, f32}},
        {"fma.rn.f64", Opcode::fma, {.type = f64}, {f64}, {f64, f64, f64}},
        {"max.f32", Opcode::max, {.type = f32}, {f32}, {f32, f32}},
        {"div.rn.f32", Opcode::div, {.type = f32}, {f32}, {f32, f32}},
        {"sqrt.rn.f32", Opcode::sqrt, {.type = f32}, {f32}, {f32}},
        {"add.s32", Opcode::add, {.type = s32}, {b32}, {b32, b32}},
        {"add.s64", Opcode::add, {.type = s64}, {b64}, {b64, b64}},
        {"mul.lo.s32", Opcode::mul, {.type = s32, .half = ptx::Half::lo}, {b32}, {b32, b32}},
        {"mad.lo.s32", Opcode::mad, {.type = s32, .half = ptx::Half::lo}, {b32}, {b32, b32, b32}},
        {"mul.wide.s32", Opcode::mul, {.type = s32, .half = ptx::Half::wide}, {b64}, {b32, b32}},
        {"mul.lo.s64", Opcode::mul, {.type = s64, .half = ptx::Half::lo}, {b64}, {b64, b64}},
        {"div.u32", Opcode::div, {.type = u32}, {b32}, {b32, b32}},
        {"rem.s32", Opcode::rem, {.type = s32}, {b32}, {b32, b32}},
        {"div.s64", Opcode::div, {.type = s64}, {b64}, {b64, b64}},
        {"and.b32", Opcode::and_, {.type = b32}, {b32}, {b32, b32}},
        {"shl.b32", Opcode::shl, {.type = b32}, {b32}, {b32, b32}},
        {"shr.s32", Opcode::shr, {.type = s32}, {b32}, {b32, b32}},
        {"shl.b64", Opcode::shl, {.type = b64}, {b64}, {b64, b32}},
        {"setp.lt.s32", Opcode::setp, {.type = s32, .source_type = s32, .compare = ptx::Compare::lt}, {pred}, {b32, b32}},
        {"setp.lt.f32", Opcode::setp, {.type = f32, .source_type = f32, .compare = ptx::Compare::lt}, {pred}, {f32, f32}},
        {"setp.eq.s64", Opcode::setp, {.type = s64, .source_type = s64, .compare = ptx::Compare::eq}, {pred}, {b64, b64}},
        {"selp.b32", Opcode::selp, {.type = b32}, {b32}, {b32, b32, pred}},
        {"mov.u32", Opcode::mov, {.type = u32}, {b32}, {b32}},
        {"mov.u64", Opcode::mov, {.type = u64}, {b64}, {b64}},
        {"and.pred", Opcode::and_, {.type = pred}, {pred}, {pred, pred}},
        {"cvt.s64.s32", Opcode::cvt, {.type = s64, .source_type = s32}, {b64}, {b32}},
        {"cvt.u32.u64", Opcode::cvt, {.type = u32, .source_type = u64}, {b32}, {b64}},
        {"cvt.rn.f32.s32", Opcode::cvt, {.type = f32, .source_type = s32}, {f32}, {b32}},
        {"cvt.rzi.s32.f32", Opcode::cvt, {.type = s32, .source_type = f32, .rounding = rzi}, {b32}, {f32}},
    };
}

void measure(benchmark::State& state, const Case& instance, Level level, LaneMask active) {
    ptx::Instruction instruction;
    instruction.opcode = instance.opcode;
    instruction.modifiers = instance.modifiers;
    LaneRows rows(instruction, instance.destinations, instance.sources);
    Lanes values;
    for (std::size_t source = 0; source < instance.sources.size(); ++source) {
        for (int lane = 0; lane < kLanes; ++lane) values[lane] = 0x3f9e3779'3f800000ull + 977u * lane + 13u * source;
        rows.set_source(source, values);
    }
    const LaneFunction lane_function = rows.find(level);
    if (lane_function == nullptr) return state.SkipWithError("not emulated");
    const LaneOperands operands = rows.operands();
    for (auto _ : state) {
        lane_function(operands, active);
        benchmark::ClobberMemory();
    }
}

const bool registered = [] {
    const std::pair<const char*, Level> levels[] = {{"baseline", Level::baseline}, {"v3", Level::v3}, {"v4", Level::v4}};
    for (const auto& [name, level] : levels) {
        if (!is_offered(level)) continue;
        for (const Case& instance : cases())
            for (const LaneMask active : {0xffffffffu, 0x55555555u})
                benchmark::RegisterBenchmark((std::string(name) + "/" + instance.name + (active == ~0u ? "" : "/half")).c_str(),
                                             measure, instance, level, active);
    }
    return true;
}();

}  // namespace
}  // namespace optiml::emulator

BENCHMARK_MAIN();
