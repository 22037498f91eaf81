#include "emulator/counting/access_plan.h"

#include <string_view>

namespace optiml::emulator {
namespace {

bool bypasses_l1(const ptx::Instruction& instruction) {
    if (instruction.opcode != ptx::Opcode::ld) return false;
    const std::string_view text = instruction.text;
    if (text.find(".cg") != std::string_view::npos || text.find(".cv") != std::string_view::npos) return true;
    const ptx::MemoryOrder order = instruction.modifiers.order;
    return order != ptx::MemoryOrder::none && order != ptx::MemoryOrder::weak;
}

}  // namespace

AccessPlan make_access_plan(const ptx::Function& function, const MachineFunction* machine) {
    AccessPlan plan;
    if (machine != nullptr) plan.merged = find_merged_loads(function, *machine);
    for (const ptx::Instruction& instruction : function.instructions) plan.bypasses_l1.push_back(bypasses_l1(instruction));
    return plan;
}

}  // namespace optiml::emulator
