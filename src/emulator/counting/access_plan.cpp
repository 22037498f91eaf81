#include "emulator/counting/access_plan.h"

#include <set>
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

bool is_atomic(const ptx::Instruction& instruction) {
    return instruction.opcode == ptx::Opcode::atom || instruction.opcode == ptx::Opcode::red;
}

// Without machine code: additions of floats in shared memory have no instruction of their own on any device so far.
bool retries_by_type(const ptx::Instruction& instruction) {
    return is_atomic(instruction) && instruction.modifiers.space == ptx::Space::shared && ptx::is_float(instruction.modifiers.type);
}

// Votes among the machine instructions of an atomic choose the lane that acts for the warp.
void find_aggregated(const ptx::Function& function, const MachineFunction& machine, AccessPlan& plan) {
    std::set<std::uint32_t> lines_with_votes;
    for (const MachineInstruction& instruction : machine.instructions) {
        if (instruction.kind == MachineKind::vote) lines_with_votes.insert(instruction.ptx_line);
    }
    for (std::size_t i = 0; i < function.instructions.size(); ++i) {
        plan.aggregated[i] = is_atomic(function.instructions[i]) && lines_with_votes.contains(function.instructions[i].ptx_line);
    }
}

}  // namespace

AccessPlan make_access_plan(const ptx::Function& function, const MachineFunction* machine) {
    AccessPlan plan;
    plan.aggregated.resize(function.instructions.size());
    for (const ptx::Instruction& instruction : function.instructions) {
        plan.bypasses_l1.push_back(bypasses_l1(instruction));
        plan.retries.push_back(retries_by_type(instruction));
    }
    if (machine == nullptr) return plan;
    plan.merged = find_merged_accesses(function, *machine);
    find_aggregated(function, *machine, plan);
    return plan;
}

}  // namespace optiml::emulator
