#pragma once
// Which parameters of a kernel the addresses of its stores are computed from.

#include <cstdint>
#include <vector>

#include "ptx/module.h"

namespace optiml::evaluation {

// Follows parameters through the registers of a function: a register holds the parameters that its value may be computed from.
// Values from memory are data and carry none. Calls are not followed.
class ParameterFlow {
public:
    explicit ParameterFlow(const ptx::Function& function);

    // Line of the last store, atomic or reduction whose address comes from the parameter (by index); 0: none.
    std::uint32_t last_store_line(std::uint32_t parameter) const;
    // Whether an atomic or reduction has such an address.
    bool has_atomics(std::uint32_t parameter) const;

    using Parameters = std::uint64_t;  // a set of parameters by index; those from 64 on are not followed
    // Which parameters an operand is computed from: a register, an address, or a vector of registers.
    Parameters of(const ptx::Operand& operand) const;

private:
    bool addresses(const ptx::Instruction& instruction, std::uint32_t parameter) const;
    bool follow(const ptx::Instruction& instruction);
    bool add(const ptx::Operand& destination, Parameters found);

    const ptx::Function& function_;
    std::vector<Parameters> registers_;
};

}  // namespace optiml::evaluation
