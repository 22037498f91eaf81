#include "emulator/checks/access_strength.h"

#include <algorithm>

namespace optiml::emulator {
namespace {

using ptx::MemoryOrder;
using ptx::Opcode;
using ptx::OperandKind;

const ptx::Operand* address_of(const ptx::Instruction& instruction) {
    const auto found = std::ranges::find(instruction.sources, OperandKind::address, &ptx::Operand::kind);
    return found == instruction.sources.end() ? nullptr : &*found;
}

bool defines(const ptx::Instruction& instruction, std::uint32_t register_index) {
    return std::ranges::any_of(instruction.destinations, [&](const ptx::Operand& operand) {
        return operand.kind == OperandKind::reg && operand.index == register_index;
    });
}

// The register that an address register is a copy of, through mov and cvta.
std::uint32_t root_of(const ptx::Function& function, std::uint32_t register_index) {
    for (int step = 0; step < 8; ++step) {
        const ptx::Instruction* definition = nullptr;
        for (const ptx::Instruction& instruction : function.instructions) {
            if (!defines(instruction, register_index)) continue;
            if (definition != nullptr) return register_index;
            definition = &instruction;
        }
        const bool copies = definition != nullptr && (definition->opcode == Opcode::mov || definition->opcode == Opcode::cvta);
        if (!copies || definition->sources[0].kind != OperandKind::reg) return register_index;
        register_index = definition->sources[0].index;
    }
    return register_index;
}

bool same_address(const ptx::Function& function, const ptx::Operand& a, const ptx::Operand& b) {
    if (a.bits != b.bits || a.is_symbol != b.is_symbol || a.local_symbol != b.local_symbol) return false;
    if (a.is_symbol || a.index == ptx::none || b.index == ptx::none) return a.index == b.index;
    return root_of(function, a.index) == root_of(function, b.index);
}

// `int old = *p; do { ... old = atomicCAS(p, ...) } while (...)`: the swap tells whether what was read still held.
bool seeds_compare_and_swap(const ptx::Function& function, const ptx::Instruction& load) {
    const ptx::Operand* address = address_of(load);
    return address != nullptr && std::ranges::any_of(function.instructions, [&](const ptx::Instruction& instruction) {
               return instruction.opcode == Opcode::atom && instruction.modifiers.atomic == ptx::AtomicOperation::cas &&
                      same_address(function, *address, *address_of(instruction));
           });
}

// A loop without a barrier reads the same address again and again.
bool polls(const ptx::Function& function, std::uint32_t index) {
    const auto block = std::ranges::find_if(function.blocks, [&](const ptx::BasicBlock& candidate) {
        return candidate.first <= index && index < candidate.last;
    });
    const ptx::Operand* address = address_of(function.instructions[index]);
    if (block == function.blocks.end() || block->innermost_loop == ptx::none || address == nullptr) return false;
    for (const std::uint32_t member : function.loops[block->innermost_loop].blocks) {
        for (std::uint32_t i = function.blocks[member].first; i < function.blocks[member].last; ++i) {
            const ptx::Instruction& instruction = function.instructions[i];
            if (instruction.opcode == Opcode::bar_sync || instruction.opcode == Opcode::bar_red) return false;
            if (!address->is_symbol && defines(instruction, address->index)) return false;
        }
    }
    return true;
}

}  // namespace

AccessStrength access_strength(const ptx::Function& function, std::uint32_t index) {
    const ptx::Instruction& instruction = function.instructions[index];
    if (instruction.opcode == Opcode::atom || instruction.opcode == Opcode::red) return AccessStrength::atomic;
    const bool is_load = instruction.opcode == Opcode::ld;
    switch (instruction.modifiers.order) {
        case MemoryOrder::none: case MemoryOrder::weak:
            return is_load && seeds_compare_and_swap(function, instruction) ? AccessStrength::strong : AccessStrength::weak;
        case MemoryOrder::volatile_: return is_load && polls(function, index) ? AccessStrength::strong : AccessStrength::volatile_;
        default: return AccessStrength::strong;
    }
}

}  // namespace optiml::emulator
