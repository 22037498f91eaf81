#include "emulator/instruction_cost.h"

namespace optiml::emulator {
namespace {

using ptx::Opcode;
using ptx::Type;

bool is_double(const ptx::Instruction& instruction) { return instruction.modifiers.type == Type::f64; }

// Additions and the like: f32 and f16 on the FMA pipe, f64 on its own, integers on the ALU.
Pipe arithmetic_pipe(const ptx::Instruction& instruction) {
    if (is_double(instruction)) return Pipe::fp64;
    return ptx::is_float(instruction.modifiers.type) ? Pipe::fma : Pipe::alu;
}

// 64-bit integers take two 32-bit instructions.
double integer_words(const ptx::Instruction& instruction) {
    return !ptx::is_float(instruction.modifiers.type) && ptx::bits_of(instruction.modifiers.type) == 64 ? 2 : 1;
}

InstructionCost division_cost(const ptx::Instruction& instruction) {
    const ptx::Modifiers& modifiers = instruction.modifiers;
    if (modifiers.approximation != ptx::Approximation::none) return {3, Pipe::fma};
    if (is_double(instruction)) return {12, Pipe::fp64};
    if (modifiers.type == Type::f32) return {9, Pipe::fma};
    return {ptx::bits_of(modifiers.type) == 64 ? 70.0 : 16.0, Pipe::alu};
}

bool moves_a_constant(const ptx::Instruction& instruction) {
    return !instruction.sources.empty() && instruction.sources[0].kind != ptx::OperandKind::reg;
}

}  // namespace

InstructionCost instruction_cost(const ptx::Instruction& instruction) {
    switch (instruction.opcode) {
        case Opcode::cvta: return {0, Pipe::none};
        case Opcode::ld:
            if (instruction.modifiers.space == ptx::Space::param) return {0, Pipe::none};
            if (instruction.modifiers.space == ptx::Space::constant) return {1, Pipe::uniform};
            return {1, Pipe::lsu};
        case Opcode::ldu:
        case Opcode::st:
        case Opcode::atom:
        case Opcode::red:
        case Opcode::cp_async:
        case Opcode::ldmatrix:
        case Opcode::stmatrix:
        case Opcode::shfl_sync: return {1, Pipe::lsu};
        case Opcode::mov: return {moves_a_constant(instruction) ? 0.0 : 0.5, Pipe::alu};
        case Opcode::fma: return {1, arithmetic_pipe(instruction)};
        case Opcode::mul:
        case Opcode::mad:
        case Opcode::mul24:
        case Opcode::mad24:
            return {instruction.modifiers.half == ptx::Half::wide ? 1 : integer_words(instruction), is_double(instruction) ? Pipe::fp64 : Pipe::fma};
        case Opcode::div:
        case Opcode::rem: return division_cost(instruction);
        case Opcode::rcp:
        case Opcode::sqrt:
            if (instruction.modifiers.approximation == ptx::Approximation::none) return {is_double(instruction) ? 12.0 : 6.0, arithmetic_pipe(instruction)};
            return {1, Pipe::xu};
        case Opcode::rsqrt:
        case Opcode::sin:
        case Opcode::cos:
        case Opcode::ex2:
        case Opcode::lg2:
        case Opcode::tanh:
        case Opcode::popc:
        case Opcode::bfind:
        case Opcode::clz: return {1, Pipe::xu};
        case Opcode::cvt: return {1, ptx::is_float(instruction.modifiers.type) ? Pipe::xu : Pipe::alu};
        case Opcode::wmma_mma:
        case Opcode::mma_sync: return {2, Pipe::tensor};
        case Opcode::bra:
        case Opcode::ret:
        case Opcode::exit:
        case Opcode::call:
        case Opcode::brx_idx:
        case Opcode::bar_sync:
        case Opcode::bar_red:
        case Opcode::bar_arrive:
        case Opcode::bar_warp_sync: return {1, Pipe::control};
        default: return {integer_words(instruction), arithmetic_pipe(instruction)};
    }
}

}  // namespace optiml::emulator
