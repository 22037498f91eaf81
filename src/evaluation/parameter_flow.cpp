#include "evaluation/parameter_flow.h"

#include <algorithm>

namespace optiml::evaluation {
namespace {

bool accesses_atomically(const ptx::Instruction& instruction) {
    return instruction.opcode == ptx::Opcode::atom || instruction.opcode == ptx::Opcode::red;
}

bool gives_data(ptx::Opcode opcode) {
    return opcode == ptx::Opcode::atom || opcode == ptx::Opcode::tex || opcode == ptx::Opcode::tld4 ||
           opcode == ptx::Opcode::suld;
}

}  // namespace

ParameterFlow::ParameterFlow(const ptx::Function& function) : function_(function), registers_(function.registers.size()) {
    for (bool changed = true; changed;) {
        changed = false;
        for (const ptx::Instruction& instruction : function.instructions) changed |= follow(instruction);
    }
}

std::uint32_t ParameterFlow::last_store_line(std::uint32_t parameter) const {
    std::uint32_t line = 0;
    for (const ptx::Instruction& instruction : function_.instructions) {
        const bool stores = instruction.opcode == ptx::Opcode::st || instruction.opcode == ptx::Opcode::sust || accesses_atomically(instruction);
        if (stores && addresses(instruction, parameter)) line = std::max(line, instruction.place.line);
    }
    return line;
}

bool ParameterFlow::has_atomics(std::uint32_t parameter) const {
    return std::any_of(function_.instructions.begin(), function_.instructions.end(), [&](const ptx::Instruction& instruction) {
        return accesses_atomically(instruction) && addresses(instruction, parameter);
    });
}

bool ParameterFlow::addresses(const ptx::Instruction& instruction, std::uint32_t parameter) const {
    return parameter < 64 && !instruction.sources.empty() && (of(instruction.sources.front()) >> parameter & 1) != 0;
}

bool ParameterFlow::follow(const ptx::Instruction& instruction) {
    Parameters found = 0;
    if (instruction.opcode == ptx::Opcode::ld) {
        const ptx::Operand& address = instruction.sources.front();
        const bool is_parameter = address.is_symbol && address.local_symbol && address.index < function_.parameters.size();
        if (is_parameter && address.index < 64) found = Parameters{1} << address.index;
    } else if (!gives_data(instruction.opcode)) {
        for (const ptx::Operand& source : instruction.sources) found |= of(source);
    }
    bool changed = false;
    for (const ptx::Operand& destination : instruction.destinations) changed |= add(destination, found);
    return changed;
}

ParameterFlow::Parameters ParameterFlow::of(const ptx::Operand& operand) const {
    if (operand.kind == ptx::OperandKind::vector) {
        Parameters found = 0;
        for (std::uint32_t i = 0; i < operand.count; ++i) found |= of(function_.operand_pool[operand.first + i]);
        return found;
    }
    const bool is_register = operand.kind == ptx::OperandKind::reg || (operand.kind == ptx::OperandKind::address && !operand.is_symbol);
    return is_register && operand.index < registers_.size() ? registers_[operand.index] : 0;
}

bool ParameterFlow::add(const ptx::Operand& destination, Parameters found) {
    if (destination.kind == ptx::OperandKind::vector) {
        bool changed = false;
        for (std::uint32_t i = 0; i < destination.count; ++i) changed |= add(function_.operand_pool[destination.first + i], found);
        return changed;
    }
    if (destination.kind != ptx::OperandKind::reg || (registers_[destination.index] | found) == registers_[destination.index]) return false;
    registers_[destination.index] |= found;
    return true;
}

}  // namespace optiml::evaluation
