#include "emulator/execution/memory_form.h"

#include "emulator/checks/access_strength.h"

namespace optiml::emulator {
namespace {

using ptx::Opcode;

// Of ldmatrix and stmatrix, whose lanes name rows of eight elements of 16 bits.
constexpr std::uint8_t kMatrixRowBytes = 16;

const ptx::Operand* address_operand(const ptx::Instruction& instruction) {
    for (const ptx::Operand& operand : instruction.sources)
        if (operand.kind == ptx::OperandKind::address) return &operand;
    return nullptr;
}

AccessKind kind_of(Opcode opcode) {
    switch (opcode) {
        case Opcode::st: case Opcode::wmma_store: case Opcode::stmatrix: case Opcode::sust: return AccessKind::store;
        case Opcode::atom: return AccessKind::atomic;
        case Opcode::red: return AccessKind::reduction;
        case Opcode::cp_async: return AccessKind::async_copy;
        default: return AccessKind::load;
    }
}

bool is_mbarrier(Opcode opcode) {
    switch (opcode) {
        case Opcode::mbarrier_init: case Opcode::mbarrier_inval: case Opcode::mbarrier_arrive: case Opcode::mbarrier_test_wait:
        case Opcode::mbarrier_try_wait: case Opcode::cp_async_mbarrier_arrive: return true;
        default: return false;
    }
}

bool accesses_memory(Opcode opcode) {
    switch (opcode) {
        case Opcode::ld: case Opcode::ldu: case Opcode::st: case Opcode::atom: case Opcode::red: case Opcode::wmma_load: case Opcode::wmma_store: return true;
        default: return false;
    }
}

// Of a surface's store: the number of its first value among its sources, without the handle and with the coordinates one by one.
std::uint32_t first_value_of(const ptx::Instruction& store) {
    return store.sources[1].kind == ptx::OperandKind::vector ? store.sources[1].count : 1;
}

}  // namespace

MemoryForm memory_form(const ptx::Function& function, std::uint32_t index, ProgramBuilder& builder) {
    const ptx::Instruction& instruction = function.instructions[index];
    MemoryForm form;
    form.element_bytes = 0;
    const ptx::Operand* operand = address_operand(instruction);
    if (operand == nullptr) return form;
    form.space = instruction.modifiers.space;
    form.address = builder.address(*operand, form.space);
    if (instruction.opcode == Opcode::cp_async) {
        form.from = builder.address(instruction.sources[1], instruction.modifiers.to_space);
        form.kind = AccessKind::async_copy;
        form.element_bytes = static_cast<std::uint8_t>(instruction.sources[2].bits);
        return form;
    }
    if (is_mbarrier(instruction.opcode)) {
        form.kind = AccessKind::atomic;
        form.strength = AccessStrength::atomic;
        form.element_bytes = 8;
        return form;
    }
    if (instruction.opcode == Opcode::ldmatrix || instruction.opcode == Opcode::stmatrix) {
        form.kind = kind_of(instruction.opcode);
        form.element_bytes = kMatrixRowBytes;
        return form;
    }
    if (instruction.opcode == Opcode::suld || instruction.opcode == Opcode::sust) {
        form.space = ptx::Space::global;
        form.kind = kind_of(instruction.opcode);
        form.element_bytes = static_cast<std::uint8_t>(ptx::bits_of(instruction.modifiers.type) / 8);
        form.elements = instruction.modifiers.vector;
        return form;
    }
    if (!accesses_memory(instruction.opcode)) return form;
    form.kind = kind_of(instruction.opcode);
    form.strength = access_strength(function, index);
    form.element_bytes = static_cast<std::uint8_t>(ptx::bits_of(instruction.modifiers.type) / 8);
    form.elements = instruction.modifiers.vector;
    return form;
}

std::uint32_t handled_source_width(const ptx::Instruction& instruction, std::uint32_t index) {
    switch (instruction.opcode) {
        case Opcode::ld: case Opcode::ldu: case Opcode::st: case Opcode::atom: case Opcode::red:
            return row_width(instruction.modifiers.type);
        case Opcode::sust: return index >= first_value_of(instruction) ? row_width(instruction.modifiers.type) : 32;
        case Opcode::mbarrier_test_wait: case Opcode::mbarrier_try_wait: return instruction.modifiers.parity || index > 0 ? 32 : 64;
        case Opcode::cvta: case Opcode::isspacep: return 64;
        case Opcode::match_sync: return index == 0 ? row_width(instruction.modifiers.type) : 32;
        case Opcode::vote_sync: return index == 0 ? 1 : 32;
        case Opcode::call: return 64;
        default: return 32;
    }
}

}  // namespace optiml::emulator
