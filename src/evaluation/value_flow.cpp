#include "evaluation/value_flow.h"

#include <algorithm>

namespace optiml::evaluation {

using ptx::Opcode;
using ptx::OperandKind;
using ptx::Space;

bool is_fetch(Opcode opcode) { return opcode == Opcode::tex || opcode == Opcode::tld4 || opcode == Opcode::suld; }
bool is_load(Opcode opcode) { return is_fetch(opcode) || opcode == Opcode::ld || opcode == Opcode::ldu || opcode == Opcode::wmma_load || opcode == Opcode::ldmatrix; }
bool is_store(Opcode opcode) { return opcode == Opcode::st || opcode == Opcode::sust || opcode == Opcode::wmma_store || opcode == Opcode::stmatrix; }
bool is_atomic(Opcode opcode) { return opcode == Opcode::atom || opcode == Opcode::red; }
bool is_access(Opcode opcode) { return is_load(opcode) || is_store(opcode) || is_atomic(opcode) || opcode == Opcode::cp_async; }

bool moves_control(Opcode opcode) {
    return opcode == Opcode::bra || opcode == Opcode::brx_idx || opcode == Opcode::ret || opcode == Opcode::exit;
}

ValueFlow::ValueFlow(const ptx::Function& function, const Begins& begins) : function_(function), registers_(function.registers.size()) {
    for (bool changed = true; changed;) {
        changed = false;
        for (const ptx::Instruction& instruction : function.instructions) changed |= follow(instruction, begins);
    }
}

bool ValueFlow::decides(const ptx::Instruction& instruction) const {
    if (instruction.guard != ptx::none && registers_[instruction.guard]) return true;
    return instruction.opcode == Opcode::brx_idx && holds(instruction.sources.front());
}

bool ValueFlow::follow(const ptx::Instruction& instruction, const Begins& begins) {
    const bool uses = std::any_of(instruction.sources.begin(), instruction.sources.end(), [&](const ptx::Operand& source) { return holds(source); });
    if (!uses && !decides(instruction) && !loads(instruction) && !begins(instruction)) return false;
    bool changed = false;
    for (const ptx::Operand& destination : instruction.destinations) changed |= mark(destination);
    if (is_store(instruction.opcode) || is_atomic(instruction.opcode)) changed |= mark_memory(instruction.modifiers.space);
    if (instruction.opcode == Opcode::cp_async) changed |= mark_memory(Space::shared);
    return changed;
}

// From memory that holds such values.
bool ValueFlow::loads(const ptx::Instruction& instruction) const {
    if (!is_load(instruction.opcode)) return false;
    const Space space = instruction.modifiers.space;
    return (space == Space::shared && shared_) || (space == Space::local && local_);
}

bool ValueFlow::holds(const ptx::Operand& operand) const {
    if (operand.kind == OperandKind::vector) {
        for (std::uint32_t i = 0; i < operand.count; ++i) {
            if (holds(function_.operand_pool[operand.first + i])) return true;
        }
        return false;
    }
    const bool is_register = operand.kind == OperandKind::reg || (operand.kind == OperandKind::address && !operand.is_symbol);
    return is_register && operand.index < registers_.size() && registers_[operand.index];
}

bool ValueFlow::mark(const ptx::Operand& destination) {
    if (destination.kind == OperandKind::vector) {
        bool changed = false;
        for (std::uint32_t i = 0; i < destination.count; ++i) changed |= mark(function_.operand_pool[destination.first + i]);
        return changed;
    }
    if (destination.kind != OperandKind::reg || registers_[destination.index]) return false;
    registers_[destination.index] = true;
    return true;
}

bool ValueFlow::mark_memory(Space space) {
    const bool shared = space == Space::shared || space == Space::generic, local = space == Space::local || space == Space::generic;
    const bool changed = (shared && !shared_) || (local && !local_);
    shared_ |= shared;
    local_ |= local;
    return changed;
}

}  // namespace optiml::evaluation
