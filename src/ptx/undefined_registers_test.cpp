#include "ptx/undefined_registers.h"

#include "ptx/testing.h"

namespace optiml::ptx {
namespace {

// "name@instruction" of each.
std::string undefined_in(std::string_view body) {
    const Module module = parsed_kernel(body);
    std::string text;
    for (const UndefinedRegister& found : undefined_registers(module.functions[0]))
        text += module.functions[0].registers[found.register_index].name + "@" + std::to_string(found.reader) + " ";
    return text;
}

TEST(UndefinedRegisters, WhatIsWrittenFirstIsDefined) {
    EXPECT_EQ(undefined_in("mov.u32 %r1, 1; add.s32 %r2, %r1, %r1; ret;"), "");
    EXPECT_EQ(undefined_in("add.s32 %r2, %r1, 1; ret;"), "%r1@0 ");
    EXPECT_EQ(undefined_in("ld.global.u32 %r1, [%rd1]; ret;"), "%rd1@0 ");
    EXPECT_EQ(undefined_in("mov.b64 %rd1, {%r1, %r2}; ret;"), "%r1@0 %r2@0 ");
    EXPECT_EQ(undefined_in("mov.b64 {%r1, %r2}, 5; add.s32 %r3, %r1, %r2; ret;"), "");
}

TEST(UndefinedRegisters, OnePathIsEnough) {
    EXPECT_EQ(undefined_in("setp.eq.u32 %p1, 1, 2; @%p1 bra L; mov.u32 %r1, 1; L: add.s32 %r2, %r1, 1; ret;"), "%r1@3 ");
    EXPECT_EQ(undefined_in("setp.eq.u32 %p1, 1, 2; @%p1 bra L; mov.u32 %r1, 1; bra M; L: mov.u32 %r1, 2; M: add.s32 %r2, %r1, 1; ret;"), "");
}

TEST(UndefinedRegisters, LoopsCarryWhatTheirFirstRoundLacks) {
    EXPECT_EQ(undefined_in("mov.u32 %r1, 4; L: add.f32 %f1, %f1, %f2; sub.s32 %r1, %r1, 1; setp.ne.s32 %p1, %r1, 0; @%p1 bra L; ret;"),
              "%f1@1 %f2@1 ");
}

TEST(UndefinedRegisters, GuardsReadAndGuardedWritesMayNotHappen) {
    EXPECT_EQ(undefined_in("@%p1 mov.u32 %r1, 1; add.s32 %r2, %r1, 1; ret;"), "%p1@0 %r1@1 ");
}

TEST(UndefinedRegisters, WhatCannotBeReachedDoesNotCount) {
    EXPECT_EQ(undefined_in("bra M; add.s32 %r2, %r1, 1; M: ret;"), "");
}

}  // namespace
}  // namespace optiml::ptx
