#pragma once
// Which values of a function come from some of its instructions.

#include <functional>
#include <vector>

#include "ptx/module.h"

namespace optiml::evaluation {

bool is_fetch(ptx::Opcode opcode);   // from textures and surfaces
bool is_load(ptx::Opcode opcode);    // fetches among them
bool is_store(ptx::Opcode opcode);   // to memory that other instructions read, without atomics
bool is_atomic(ptx::Opcode opcode);
bool is_access(ptx::Opcode opcode);
bool moves_control(ptx::Opcode opcode);

// Follows values through registers; shared and local memory are one place each, global memory is not followed, nor are calls.
class ValueFlow {
public:
    // begins: whether what an instruction gives is such a value, apart from what its operands hold.
    using Begins = std::function<bool(const ptx::Instruction&)>;
    ValueFlow(const ptx::Function& function, const Begins& begins);

    // Registers, addresses by registers, and vectors of registers.
    bool holds(const ptx::Operand& operand) const;
    // Whether such a value decides if the instruction is executed, or for branches where they lead.
    bool decides(const ptx::Instruction& instruction) const;

private:
    bool follow(const ptx::Instruction& instruction, const Begins& begins);
    bool loads(const ptx::Instruction& instruction) const;
    bool mark(const ptx::Operand& destination);
    bool mark_memory(ptx::Space space);

    const ptx::Function& function_;
    std::vector<bool> registers_;
    bool shared_ = false;  // memory holds such values
    bool local_ = false;
};

}  // namespace optiml::evaluation
