#include "emulator/machine_code/merged_accesses.h"

#include <gtest/gtest.h>

#include "ptx/parser.h"

namespace optiml::emulator {
namespace {

constexpr std::string_view kPtx = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k()
{
    .reg .b32 %r<6>;
    .reg .f32 %f<6>;
    ld.shared.f32 %f1, [%r1];
    ld.shared.f32 %f2, [%r1+4];
    ld.shared.f32 %f3, [%r2+8];
    st.shared.f32 [%r1+12], %f1;
    st.shared.f32 [%r1+8], %f2;
    st.shared.f32 [%r2], %f3;
    ret;
}
)";

MachineInstruction access(MachineKind kind, std::uint32_t line, std::uint8_t bytes) {
    MachineInstruction instruction;
    instruction.kind = kind;
    instruction.ptx_line = line;
    instruction.access_bytes = bytes;
    return instruction;
}

TEST(MergedAccesses, WideMachineAccessesStandForSeveral) {
    const Result<ptx::Module> module = ptx::parse(kPtx);
    ASSERT_TRUE(module) << module.error().text();
    const ptx::Function& function = module->functions[0];
    const auto line = [&](std::size_t index) { return function.instructions[index].ptx_line; };
    MachineFunction machine;
    machine.instructions = {access(MachineKind::shared_load, line(0), 8), access(MachineKind::shared_load, line(2), 4),
                            access(MachineKind::shared_store, line(3), 8), access(MachineKind::shared_store, line(5), 4)};
    const std::vector<MergedAccess> merged = find_merged_accesses(function, machine);
    ASSERT_EQ(merged.size(), function.instructions.size());
    EXPECT_EQ(merged[0].bytes, 8);
    EXPECT_EQ(merged[0].displacement, 0);
    EXPECT_TRUE(merged[1].absent);
    EXPECT_EQ(merged[2].bytes, 0);
    EXPECT_FALSE(merged[2].absent);
    EXPECT_EQ(merged[3].bytes, 8);
    EXPECT_EQ(merged[3].displacement, -4);
    EXPECT_TRUE(merged[4].absent);
    EXPECT_FALSE(merged[5].absent);
}

TEST(MergedAccesses, AsWideAsInPtxIsNoMerge) {
    const Result<ptx::Module> module = ptx::parse(kPtx);
    ASSERT_TRUE(module);
    const ptx::Function& function = module->functions[0];
    MachineFunction machine;
    for (std::size_t i = 0; i < 3; ++i) machine.instructions.push_back(access(MachineKind::shared_load, function.instructions[i].ptx_line, 4));
    for (const MergedAccess& merged : find_merged_accesses(function, machine)) EXPECT_TRUE(merged.bytes == 0 && !merged.absent);
}

}  // namespace
}  // namespace optiml::emulator
