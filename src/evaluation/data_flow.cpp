#include "evaluation/data_flow.h"

#include <algorithm>

namespace optiml::evaluation {

using ptx::Opcode;
using ptx::OperandKind;
using ptx::Space;

DataFlow::DataFlow(const ptx::Function& function, ParameterFlow::Parameters sources)
    : function_(function), parameters_(function), sources_(sources), data_(function, [this](const ptx::Instruction& instruction) { return gives_data(instruction); }) {}

bool DataFlow::decides_control() const {
    return std::any_of(function_.instructions.begin(), function_.instructions.end(), [&](const ptx::Instruction& instruction) {
        if (instruction.opcode == Opcode::call) return true;
        return (moves_control(instruction.opcode) || is_access(instruction.opcode)) && data_.decides(instruction);
    });
}

bool DataFlow::decides_addresses(std::uint32_t parameter) const {
    if (parameter >= 64) return true;
    return std::any_of(function_.instructions.begin(), function_.instructions.end(), [&](const ptx::Instruction& instruction) {
        if (!is_access(instruction.opcode)) return false;
        if (is_fetch(instruction.opcode) || instruction.opcode == Opcode::sust) {  // the handle comes first, then the place
            const bool accesses = (parameters_.of(instruction.sources.front()) >> parameter & 1) != 0;
            return accesses && (data_.holds(instruction.sources[0]) || data_.holds(instruction.sources[1]));
        }
        return std::any_of(instruction.sources.begin(), instruction.sources.end(), [&](const ptx::Operand& operand) {
            return operand.kind == OperandKind::address && data_.holds(operand) && (parameters_.of(operand) >> parameter & 1) != 0;
        });
    });
}

bool DataFlow::gives_data(const ptx::Instruction& instruction) const {
    if (instruction.opcode == Opcode::atom) return true;
    const bool copies = instruction.opcode == Opcode::cp_async;
    if (!is_load(instruction.opcode) && !copies) return false;
    const Space space = copies ? Space::global : instruction.modifiers.space;
    if (space != Space::global && space != Space::generic) return false;
    const ParameterFlow::Parameters from = parameters_.of(instruction.sources[copies ? 1 : 0]);
    return from == 0 || (from & sources_) != 0;
}

}  // namespace optiml::evaluation
