#pragma once
// Whether data decides what a kernel does, or only what it computes.

#include <cstdint>
#include <vector>

#include "evaluation/parameter_flow.h"
#include "ptx/module.h"

namespace optiml::evaluation {

// Follows data through the registers of a function: what it loads through some of its parameters, or through pointers that come from
// elsewhere, and what atomics give. Shared and local memory are one place each. Called functions are not followed: a call decides.
class DataFlow {
public:
    // sources: the parameters, by index, whose memory holds the data.
    DataFlow(const ptx::Function& function, ParameterFlow::Parameters sources);

    // Which instructions are executed hangs on data: branches, and guards of accesses and exits.
    bool decides_control() const;
    // The address of an access through the parameter hangs on data.
    bool decides_addresses(std::uint32_t parameter) const;

private:
    bool follow(const ptx::Instruction& instruction);
    bool gives_data(const ptx::Instruction& instruction) const;
    bool is_data(const ptx::Operand& operand) const;
    bool mark(const ptx::Operand& destination);
    bool mark_memory(ptx::Space space);

    const ptx::Function& function_;
    ParameterFlow parameters_;
    ParameterFlow::Parameters sources_;
    std::vector<bool> registers_;  // that hold data
    bool shared_ = false;          // memory does
    bool local_ = false;
};

}  // namespace optiml::evaluation
