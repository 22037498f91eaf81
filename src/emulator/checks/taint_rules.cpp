#include "emulator/checks/taint_rules.h"

namespace optiml::emulator {

using ptx::Opcode;

TaintRule taint_rule(const ptx::Function&, const ptx::Instruction& instruction) {
    switch (instruction.opcode) {
        case Opcode::mov:
            return instruction.sources.size() == 1 && instruction.sources[0].kind != ptx::OperandKind::vector &&
                           instruction.destinations[0].kind != ptx::OperandKind::vector
                       ? TaintRule::copied
                       : TaintRule::bytes;
        case Opcode::and_: case Opcode::shl: case Opcode::shr: case Opcode::prmt: case Opcode::cvt: case Opcode::selp: case Opcode::or_:
            return TaintRule::bytes;
        default: return TaintRule::computed;
    }
}

}  // namespace optiml::emulator
