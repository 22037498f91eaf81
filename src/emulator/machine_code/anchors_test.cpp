#include "emulator/machine_code/anchors.h"

#include <gtest/gtest.h>

namespace optiml::emulator {
namespace {

ptx::Instruction access(ptx::Opcode opcode, ptx::Space space) {
    ptx::Instruction instruction;
    instruction.opcode = opcode;
    instruction.modifiers.space = space;
    instruction.modifiers.type = ptx::Type::f32;
    return instruction;
}

// The back end gives the loads and stores of a spilled register the line of the instruction that needs it.
TEST(Anchors, SpillsAreNoCopiesOfAnAccess) {
    EXPECT_EQ(anchor_strength(access(ptx::Opcode::ld, ptx::Space::shared), MachineKind::shared_load), AnchorStrength::strong);
    EXPECT_EQ(anchor_strength(access(ptx::Opcode::ld, ptx::Space::shared), MachineKind::local_load), AnchorStrength::none);
    EXPECT_EQ(anchor_strength(access(ptx::Opcode::ld, ptx::Space::global), MachineKind::local_load), AnchorStrength::none);
    EXPECT_EQ(anchor_strength(access(ptx::Opcode::st, ptx::Space::global), MachineKind::local_store), AnchorStrength::none);
    EXPECT_EQ(anchor_strength(access(ptx::Opcode::ld, ptx::Space::local), MachineKind::local_load), AnchorStrength::strong);
    EXPECT_EQ(anchor_strength(access(ptx::Opcode::ld, ptx::Space::generic), MachineKind::local_load), AnchorStrength::strong);
}

}  // namespace
}  // namespace optiml::emulator
