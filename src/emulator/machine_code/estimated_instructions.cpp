// What PTX instructions become in machine code when no machine code is at hand.

#include "emulator/machine_code/executed_instructions.h"

namespace optiml::emulator {
namespace {

using ptx::Opcode;
using ptx::Type;

struct Expansion {
    double instructions = 1;  // 0: folded into others
    MachineKind kind = MachineKind::integer;
    Pipe pipe = Pipe::alu;
};

bool is_double(const ptx::Instruction& instruction) { return instruction.modifiers.type == Type::f64; }
bool is_real(const ptx::Instruction& instruction) { return ptx::is_float(instruction.modifiers.type); }

// 64-bit integers take two 32-bit instructions.
double integer_words(const ptx::Instruction& instruction) { return !is_real(instruction) && ptx::bits_of(instruction.modifiers.type) == 64 ? 2 : 1; }

// f32 and f16 on the FMA pipe, f64 on its own, integers on the ALU.
Pipe arithmetic_pipe(const ptx::Instruction& instruction) {
    if (is_double(instruction)) return Pipe::fp64;
    return is_real(instruction) ? Pipe::fma : Pipe::alu;
}

MachineKind arithmetic_kind(const ptx::Instruction& instruction, MachineKind single) {
    if (is_double(instruction)) return MachineKind::double_;
    if (!is_real(instruction)) return MachineKind::integer;
    return instruction.modifiers.type == Type::f32 ? single : MachineKind::half;
}

Expansion memory(const ptx::Instruction& instruction, MachineKind global, MachineKind shared, MachineKind local) {
    switch (instruction.modifiers.space) {
        case ptx::Space::param: return {0, MachineKind::constant_load, Pipe::none};
        case ptx::Space::constant: return {1, MachineKind::constant_load, Pipe::uniform};
        case ptx::Space::shared: return {1, shared, Pipe::lsu};
        case ptx::Space::local: return {1, local, Pipe::lsu};
        default: return {1, global, Pipe::lsu};
    }
}

Expansion division(const ptx::Instruction& instruction) {
    if (instruction.modifiers.approximation != ptx::Approximation::none) return {3, MachineKind::fmul, Pipe::fma};
    if (is_double(instruction)) return {12, MachineKind::double_, Pipe::fp64};
    if (is_real(instruction)) return {9, MachineKind::ffma, Pipe::fma};
    return {integer_words(instruction) == 2 ? 70.0 : 16.0, MachineKind::integer, Pipe::alu};
}

Expansion root_or_reciprocal(const ptx::Instruction& instruction) {
    if (instruction.modifiers.approximation != ptx::Approximation::none) return {1, MachineKind::special, Pipe::xu};
    if (is_double(instruction)) return {12, MachineKind::double_, Pipe::fp64};
    return {6, MachineKind::ffma, Pipe::fma};
}

bool copies_a_register(const ptx::Instruction& instruction) {
    return !instruction.sources.empty() && instruction.sources[0].kind == ptx::OperandKind::reg;
}

Expansion expansion_of(const ptx::Instruction& instruction) {
    using enum MachineKind;
    switch (instruction.opcode) {
        case Opcode::cvta: return {0, move, Pipe::none};
        case Opcode::ld:
        case Opcode::ldu: return memory(instruction, global_load, shared_load, local_load);
        case Opcode::st: return memory(instruction, global_store, shared_store, local_store);
        case Opcode::atom:
        case Opcode::red: return memory(instruction, global_atomic, shared_atomic, global_atomic);
        case Opcode::cp_async: return {1, global_load, Pipe::lsu};
        case Opcode::ldmatrix: return {1, shared_load, Pipe::lsu};
        case Opcode::stmatrix: return {1, shared_store, Pipe::lsu};
        case Opcode::wmma_load: return memory(instruction, global_load, shared_load, local_load);
        case Opcode::wmma_store: return memory(instruction, global_store, shared_store, local_store);
        case Opcode::tex:
        case Opcode::tld4:
        case Opcode::suld: return {1, texture_load, Pipe::tex};
        case Opcode::sust: return {1, other, Pipe::tex};
        case Opcode::shfl_sync: return {1, shuffle, Pipe::lsu};
        case Opcode::mov: return {copies_a_register(instruction) ? 0.5 : 0.25, move, Pipe::alu};
        case Opcode::fma: return {1, arithmetic_kind(instruction, ffma), arithmetic_pipe(instruction)};
        case Opcode::add:
        case Opcode::sub: return {integer_words(instruction), arithmetic_kind(instruction, fadd), arithmetic_pipe(instruction)};
        case Opcode::mul:
        case Opcode::mad:
        case Opcode::mul24:
        case Opcode::mad24: {
            const double words = instruction.modifiers.half == ptx::Half::wide ? 1 : integer_words(instruction);
            return {words, arithmetic_kind(instruction, fmul), is_double(instruction) ? Pipe::fp64 : Pipe::fma};
        }
        case Opcode::div:
        case Opcode::rem: return division(instruction);
        case Opcode::rcp:
        case Opcode::sqrt: return root_or_reciprocal(instruction);
        case Opcode::rsqrt:
        case Opcode::sin:
        case Opcode::cos:
        case Opcode::ex2:
        case Opcode::lg2:
        case Opcode::tanh: return {1, special, Pipe::xu};
        case Opcode::popc:
        case Opcode::bfind:
        case Opcode::clz:
        case Opcode::brev: return {1, integer, Pipe::xu};
        case Opcode::cvt: return {1, conversion, is_real(instruction) ? Pipe::xu : Pipe::alu};
        case Opcode::wmma_mma:
        case Opcode::mma_sync: return {2, matrix, Pipe::tensor};
        case Opcode::vote_sync:
        case Opcode::match_sync:
        case Opcode::redux_sync:
        case Opcode::activemask: return {1, vote, Pipe::alu};
        case Opcode::bar_sync:
        case Opcode::bar_red:
        case Opcode::bar_arrive: return {1, barrier, Pipe::none};
        case Opcode::bra:
        case Opcode::brx_idx: return {1, branch, Pipe::control};
        case Opcode::ret:
        case Opcode::exit: return {1, exit, Pipe::control};
        case Opcode::call: return {1, call, Pipe::control};
        case Opcode::bar_warp_sync: return {0, other_control, Pipe::none};
        default: return {integer_words(instruction), arithmetic_kind(instruction, float_other), arithmetic_pipe(instruction)};
    }
}

}  // namespace

std::vector<ExecutedInstruction> estimated_instructions(const PtxCounts& counts) {
    std::vector<ExecutedInstruction> executed;
    for (std::uint32_t i = 0; i < counts.warps.size(); ++i) {
        const Expansion expansion = expansion_of(counts.function->instructions[i]);
        if (counts.warps[i] == 0 || expansion.instructions == 0) continue;
        ExecutedInstruction entry;
        entry.ptx_instruction = i;
        entry.kind = expansion.kind;
        entry.pipe = expansion.pipe;
        entry.warps = static_cast<double>(counts.warps[i]) * expansion.instructions;
        entry.threads = static_cast<double>(counts.threads[i]) * expansion.instructions;
        entry.guarded_threads = entry.threads;
        executed.push_back(entry);
    }
    return executed;
}

}  // namespace optiml::emulator
