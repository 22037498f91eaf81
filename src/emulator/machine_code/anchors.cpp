#include "emulator/machine_code/anchors.h"

#include <algorithm>

namespace optiml::emulator {
namespace {

using ptx::Opcode;
using enum MachineKind;

bool is_one_of(MachineKind kind, std::initializer_list<MachineKind> kinds) {
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

// Whether an access to this space may be of the kind that the space has. Others with its line only fill or empty a spilled register.
bool is_access(ptx::Space space, MachineKind kind, MachineKind global, MachineKind shared, MachineKind local) {
    switch (space) {
        case ptx::Space::global: return kind == global;
        case ptx::Space::shared: return kind == shared;
        case ptx::Space::local: return kind == local;
        default: return is_one_of(kind, {global, shared, local});
    }
}

bool is_strong(const ptx::Instruction& instruction, MachineKind kind) {
    const ptx::Type type = instruction.modifiers.type;
    const ptx::Space space = instruction.modifiers.space;
    switch (instruction.opcode) {
        case Opcode::ld:
        case Opcode::ldu:
        case Opcode::ldmatrix:
        case Opcode::wmma_load: return is_access(space, kind, global_load, shared_load, local_load);
        case Opcode::cp_async: return is_one_of(kind, {global_load, shared_load});
        case Opcode::st:
        case Opcode::stmatrix:
        case Opcode::wmma_store: return is_access(space, kind, global_store, shared_store, local_store);
        case Opcode::atom:
        case Opcode::red: return is_one_of(kind, {global_atomic, reduction, shared_atomic});
        case Opcode::shfl_sync: return kind == shuffle;
        case Opcode::vote_sync:
        case Opcode::match_sync:
        case Opcode::redux_sync:
        case Opcode::activemask: return kind == vote;
        case Opcode::bar_sync:
        case Opcode::bar_red:
        case Opcode::bar_arrive: return kind == barrier;
        case Opcode::wmma_mma:
        case Opcode::mma_sync: return kind == matrix;
        // A subroutine; the slow path of a float division is one too, but hardly ever taken.
        case Opcode::div:
        case Opcode::rem: return kind == call && !ptx::is_float(type) && ptx::bits_of(type) == 64;
        default: return false;
    }
}

bool is_medium(const ptx::Instruction& instruction, MachineKind kind) {
    const ptx::Type type = instruction.modifiers.type;
    if (type == ptx::Type::f64) {
        const bool simple = instruction.opcode == Opcode::add || instruction.opcode == Opcode::sub || instruction.opcode == Opcode::mul ||
                            instruction.opcode == Opcode::fma;
        return simple && kind == double_;
    }
    if (!ptx::is_float(type)) return false;
    const bool single = type == ptx::Type::f32;  // HFMA2 beside f32 makes constants only
    switch (instruction.opcode) {
        case Opcode::fma: return kind == (single ? ffma : half);
        case Opcode::add:
        case Opcode::sub: return single ? is_one_of(kind, {fadd, ffma}) : kind == half;
        case Opcode::mul: return kind == (single ? fmul : half);
        case Opcode::min:
        case Opcode::max: return kind == float_other;
        case Opcode::ex2:
        case Opcode::lg2:
        case Opcode::sin:
        case Opcode::cos:
        case Opcode::tanh:
        case Opcode::rcp:
        case Opcode::rsqrt:
        case Opcode::sqrt:
        case Opcode::div: return kind == special;
        default: return false;
    }
}

bool is_weak(const ptx::Instruction& instruction, MachineKind kind) {
    if (kind != integer || ptx::is_float(instruction.modifiers.type) || ptx::bits_of(instruction.modifiers.type) > 32) return false;
    switch (instruction.opcode) {
        case Opcode::add:
        case Opcode::sub:
        case Opcode::mad:
        case Opcode::mul:
        case Opcode::xor_:
        case Opcode::shf:
        case Opcode::prmt:
        case Opcode::popc:
        case Opcode::min:
        case Opcode::max: return instruction.modifiers.half != ptx::Half::wide;
        default: return false;
    }
}

bool expands(Opcode opcode) {
    return opcode == Opcode::wmma_load || opcode == Opcode::wmma_store || opcode == Opcode::wmma_mma || opcode == Opcode::mma_sync;
}

bool stands_once(const Anchor& anchor) { return anchor.copies.size() == 1 && anchor.copies.begin()->second == 1; }

// One PTX instruction that becomes several of a kind: its smallest number in any block is one copy.
void divide_by_expansion(Anchor& anchor) {
    double smallest = anchor.copies.begin()->second;
    for (const auto& [block, copies] : anchor.copies) smallest = std::min(smallest, copies);
    for (auto& [block, copies] : anchor.copies) copies /= smallest;
}

}  // namespace

AnchorStrength anchor_strength(const ptx::Instruction& instruction, MachineKind kind) {
    if (is_strong(instruction, kind)) return AnchorStrength::strong;
    if (is_medium(instruction, kind)) return AnchorStrength::medium;
    return is_weak(instruction, kind) ? AnchorStrength::weak : AnchorStrength::none;
}

std::vector<Anchor> find_anchors(const MachineFunction& machine, const PtxFlow& ptx) {
    std::map<std::uint32_t, Anchor> anchors;
    for (std::uint32_t block = 0; block < machine.blocks.size(); ++block) {
        if (!machine.blocks[block].reachable) continue;
        for (std::uint32_t i = machine.blocks[block].first; i < machine.blocks[block].last; ++i) {
            const MachineInstruction& instruction = machine.instructions[i];
            const std::uint32_t origin = ptx.instruction_at(instruction.ptx_line);
            if (origin == ptx::none) continue;
            const AnchorStrength strength = anchor_strength(ptx.function().instructions[origin], instruction.kind);
            if (strength == AnchorStrength::none) continue;
            Anchor& anchor = anchors[origin];
            anchor.instruction = origin;
            anchor.strength = strength;
            anchor.guarded |= instruction.guarded && ptx.function().instructions[origin].guard == ptx::none;
            anchor.copies[block] += 1;
        }
    }
    std::vector<Anchor> result;
    for (auto& [origin, anchor] : anchors) {
        if (anchor.strength == AnchorStrength::weak && !stands_once(anchor)) continue;
        if (expands(ptx.function().instructions[origin].opcode)) divide_by_expansion(anchor);
        result.push_back(std::move(anchor));
    }
    return result;
}

}  // namespace optiml::emulator
