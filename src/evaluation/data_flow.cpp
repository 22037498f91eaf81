#include "evaluation/data_flow.h"

#include <algorithm>

namespace optiml::evaluation {
namespace {

using ptx::Opcode;
using ptx::OperandKind;
using ptx::Space;

bool is_fetch(Opcode opcode) { return opcode == Opcode::tex || opcode == Opcode::tld4; }
bool is_load(Opcode opcode) { return is_fetch(opcode) || opcode == Opcode::ld || opcode == Opcode::ldu || opcode == Opcode::wmma_load || opcode == Opcode::ldmatrix; }
bool is_atomic(Opcode opcode) { return opcode == Opcode::atom || opcode == Opcode::red; }
bool is_store(Opcode opcode) { return opcode == Opcode::st || opcode == Opcode::wmma_store || opcode == Opcode::stmatrix; }
bool is_access(Opcode opcode) { return is_load(opcode) || is_store(opcode) || is_atomic(opcode) || opcode == Opcode::cp_async; }

bool moves_control(Opcode opcode) {
    return opcode == Opcode::bra || opcode == Opcode::brx_idx || opcode == Opcode::ret || opcode == Opcode::exit;
}

}  // namespace

DataFlow::DataFlow(const ptx::Function& function, ParameterFlow::Parameters sources)
    : function_(function), parameters_(function), sources_(sources), registers_(function.registers.size()) {
    for (bool changed = true; changed;) {
        changed = false;
        for (const ptx::Instruction& instruction : function.instructions) changed |= follow(instruction);
    }
}

bool DataFlow::decides_control() const {
    return std::any_of(function_.instructions.begin(), function_.instructions.end(), [&](const ptx::Instruction& instruction) {
        if (instruction.opcode == Opcode::call) return true;
        if (instruction.opcode == Opcode::brx_idx && is_data(instruction.sources.front())) return true;
        const bool guarded = instruction.guard != ptx::none && registers_[instruction.guard];
        return guarded && (moves_control(instruction.opcode) || is_access(instruction.opcode));
    });
}

bool DataFlow::decides_addresses(std::uint32_t parameter) const {
    if (parameter >= 64) return true;
    return std::any_of(function_.instructions.begin(), function_.instructions.end(), [&](const ptx::Instruction& instruction) {
        if (!is_access(instruction.opcode)) return false;
        if (is_fetch(instruction.opcode)) {  // the handle comes first, then what says where to read
            const bool reads = (parameters_.of(instruction.sources.front()) >> parameter & 1) != 0;
            return reads && std::any_of(instruction.sources.begin(), instruction.sources.end(), [&](const ptx::Operand& source) { return is_data(source); });
        }
        return std::any_of(instruction.sources.begin(), instruction.sources.end(), [&](const ptx::Operand& operand) {
            return operand.kind == OperandKind::address && is_data(operand) && (parameters_.of(operand) >> parameter & 1) != 0;
        });
    });
}

bool DataFlow::follow(const ptx::Instruction& instruction) {
    const bool uses_data = std::any_of(instruction.sources.begin(), instruction.sources.end(), [&](const ptx::Operand& source) { return is_data(source); });
    const bool hangs_on_data = instruction.guard != ptx::none && registers_[instruction.guard];
    if (!gives_data(instruction) && !uses_data && !hangs_on_data) return false;
    bool changed = false;
    for (const ptx::Operand& destination : instruction.destinations) changed |= mark(destination);
    if (is_store(instruction.opcode) || is_atomic(instruction.opcode)) changed |= mark_memory(instruction.modifiers.space);
    if (instruction.opcode == Opcode::cp_async) changed |= mark_memory(Space::shared);
    return changed;
}

// Data comes in here, apart from what the operands hold.
bool DataFlow::gives_data(const ptx::Instruction& instruction) const {
    if (instruction.opcode == Opcode::atom) return true;
    if (!is_load(instruction.opcode) && instruction.opcode != Opcode::cp_async) return false;
    switch (instruction.opcode == Opcode::cp_async ? Space::global : instruction.modifiers.space) {
        case Space::shared: return shared_;
        case Space::local: return local_;
        case Space::param: case Space::constant: return false;
        default: break;
    }
    const ptx::Operand& address = instruction.sources[instruction.opcode == Opcode::cp_async ? 1 : 0];
    const ParameterFlow::Parameters from = parameters_.of(address);
    return from == 0 || (from & sources_) != 0;
}

bool DataFlow::is_data(const ptx::Operand& operand) const {
    if (operand.kind == OperandKind::vector) {
        for (std::uint32_t i = 0; i < operand.count; ++i) {
            if (is_data(function_.operand_pool[operand.first + i])) return true;
        }
        return false;
    }
    const bool is_register = operand.kind == OperandKind::reg || (operand.kind == OperandKind::address && !operand.is_symbol);
    return is_register && operand.index < registers_.size() && registers_[operand.index];
}

bool DataFlow::mark(const ptx::Operand& destination) {
    if (destination.kind == OperandKind::vector) {
        bool changed = false;
        for (std::uint32_t i = 0; i < destination.count; ++i) changed |= mark(function_.operand_pool[destination.first + i]);
        return changed;
    }
    if (destination.kind != OperandKind::reg || registers_[destination.index]) return false;
    registers_[destination.index] = true;
    return true;
}

bool DataFlow::mark_memory(Space space) {
    const bool shared = space == Space::shared || space == Space::generic, local = space == Space::local || space == Space::generic;
    const bool changed = (shared && !shared_) || (local && !local_);
    shared_ |= shared;
    local_ |= local;
    return changed;
}

}  // namespace optiml::evaluation
