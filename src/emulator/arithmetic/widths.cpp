// The layout of operands' rows.

#include "emulator/lanes.h"

namespace optiml::emulator {
namespace {

using ptx::Opcode;

// The operand that is source `index` when the elements of vectors are counted one by one.
const ptx::Operand* find_source(const ptx::Function& function, const ptx::Instruction& instruction, std::uint32_t index) {
    for (const ptx::Operand& operand : instruction.sources) {
        const bool is_vector = operand.kind == ptx::OperandKind::vector;
        const std::uint32_t count = is_vector ? operand.count : 1;
        if (index < count) return is_vector ? &function.operand_pool[operand.first + index] : &operand;
        index -= count;
    }
    return nullptr;
}

std::uint32_t source_count(const ptx::Instruction& instruction) {
    std::uint32_t count = 0;
    for (const ptx::Operand& operand : instruction.sources) count += operand.kind == ptx::OperandKind::vector ? operand.count : 1;
    return count;
}

// Of a source that is not a register, from the instruction's form.
std::uint32_t implied_width(const ptx::Instruction& instruction, std::uint32_t index) {
    const ptx::Modifiers& modifiers = instruction.modifiers;
    const std::uint32_t width = row_width(modifiers.type);
    switch (instruction.opcode) {
        case Opcode::shl: case Opcode::shr: return index == 1 ? 32 : width;
        case Opcode::bfe: return index >= 1 ? 32 : width;
        case Opcode::bfi: return index >= 2 ? 32 : width;
        case Opcode::slct: return index == 2 ? 32 : width;
        case Opcode::selp: return index == 2 ? 1 : width;
        case Opcode::setp: return index == 2 ? 1 : width;
        case Opcode::set: return index == 2 ? 1 : row_width(modifiers.source_type);
        case Opcode::cvt: return row_width(modifiers.source_type);
        case Opcode::mad: return index == 2 && modifiers.half == ptx::Half::wide ? 2 * width : width;
        case Opcode::mov: return width / source_count(instruction);
        default: return width;
    }
}

}  // namespace

std::uint32_t row_width(ptx::Type type) {
    using enum ptx::Type;
    switch (type) {
        case pred: return 1;
        case b8: case u8: case s8: return 8;
        case b16: case u16: case s16: case f16: case bf16: case e4m3x2: case e5m2x2: return 16;
        case b64: case u64: case s64: case f64: return 64;
        case b128: return 128;
        default: return 32;
    }
}

std::uint32_t source_width(const ptx::Function& function, const ptx::Instruction& instruction, std::uint32_t index) {
    const ptx::Operand* operand = find_source(function, instruction, index);
    if (operand != nullptr && operand->kind == ptx::OperandKind::reg) return row_width(function.registers[operand->index].type);
    return implied_width(instruction, index);
}

}  // namespace optiml::emulator
