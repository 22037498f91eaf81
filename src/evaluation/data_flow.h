#pragma once
// Whether data decides what a kernel does, or only what it computes.

#include <cstdint>

#include "evaluation/parameter_flow.h"
#include "evaluation/value_flow.h"
#include "ptx/module.h"

namespace optiml::evaluation {

// Data is what a kernel loads through some of its parameters, or through pointers that come from elsewhere, and what atomics give.
class DataFlow {
public:
    // sources: the parameters, by index, whose memory holds the data.
    DataFlow(const ptx::Function& function, ParameterFlow::Parameters sources);

    // Which instructions are executed hangs on data: branches, and guards of accesses and exits. A call counts as one that does.
    bool decides_control() const;
    // The address of an access through the parameter hangs on data.
    bool decides_addresses(std::uint32_t parameter) const;

private:
    bool gives_data(const ptx::Instruction& instruction) const;

    const ptx::Function& function_;
    ParameterFlow parameters_;
    ParameterFlow::Parameters sources_;
    ValueFlow data_;
};

}  // namespace optiml::evaluation
