#include "emulator/execution/kernel_traits.h"

namespace optiml::emulator {
namespace {

using ptx::MemoryOrder;
using ptx::Opcode;

bool is_used(const ptx::Function& function, const ptx::Instruction& atomic) {
    const ptx::Operand& result = atomic.destinations.front();
    if (result.kind != ptx::OperandKind::reg) return result.kind != ptx::OperandKind::sink;
    const auto reads = [&](const ptx::Operand& operand) {
        return (operand.kind == ptx::OperandKind::reg || operand.kind == ptx::OperandKind::address) && !operand.is_symbol &&
               operand.index == result.index;
    };
    for (const ptx::Instruction& instruction : function.instructions) {
        if (instruction.guard == result.index) return true;
        for (const ptx::Operand& operand : instruction.sources) {
            if (reads(operand)) return true;
            if (operand.kind != ptx::OperandKind::vector) continue;
            for (std::uint32_t element = 0; element < operand.count; ++element)
                if (reads(function.operand_pool[operand.first + element])) return true;
        }
    }
    return false;
}

bool names_all_lanes(const ptx::Operand& mask) {
    return mask.kind == ptx::OperandKind::immediate && static_cast<std::uint32_t>(mask.bits) == 0xffffffff;
}

bool beyond_block(const ptx::Modifiers& modifiers) {
    return modifiers.space == ptx::Space::global || modifiers.space == ptx::Space::generic;
}

void add_traits(const ptx::Function& function, const ptx::Instruction& instruction, KernelTraits& traits) {
    const ptx::Modifiers& modifiers = instruction.modifiers;
    const bool ordered = modifiers.order != MemoryOrder::none && modifiers.order != MemoryOrder::weak;
    switch (instruction.opcode) {
        case Opcode::ld: case Opcode::st:
            traits.communicates |= ordered && beyond_block(modifiers);
            traits.publishes |= ordered;
            break;
        case Opcode::atom:
            traits.communicates |= beyond_block(modifiers) && (is_used(function, instruction) || modifiers.atomic == ptx::AtomicOperation::exch);
            [[fallthrough]];
        case Opcode::red:
            traits.atomics |= beyond_block(modifiers);
            traits.publishes |= modifiers.order == MemoryOrder::acq_rel || modifiers.order == MemoryOrder::release ||
                                modifiers.order == MemoryOrder::acquire;
            break;
        case Opcode::membar: case Opcode::fence:
            traits.publishes = true;
            traits.communicates |= modifiers.scope != ptx::Scope::cta;
            break;
        case Opcode::nanosleep: traits.communicates = true; break;
        case Opcode::bar_arrive: traits.partial_barriers = true; break;
        case Opcode::mbarrier_init: traits.publishes = true; break;
        case Opcode::bar_sync: case Opcode::bar_red:
            traits.partial_barriers |= instruction.sources.size() > (instruction.opcode == Opcode::bar_red ? 2u : 1u);
            break;
        case Opcode::shfl_sync: case Opcode::vote_sync: case Opcode::match_sync: case Opcode::redux_sync: case Opcode::bar_warp_sync:
            traits.partial_masks |= !names_all_lanes(instruction.sources.back());
            break;
        default: break;
    }
}

}  // namespace

KernelTraits traits_of(const std::vector<const ptx::Function*>& functions) {
    KernelTraits traits;
    for (const ptx::Function* function : functions) {
        for (const ptx::Instruction& instruction : function->instructions) add_traits(*function, instruction, traits);
        if (!function->has_body && (function->name == "malloc" || function->name == "free" || function->name == "vprintf"))
            traits.communicates = traits.uses_heap = true;
    }
    return traits;
}

}  // namespace optiml::emulator
