#pragma once
// Registers that are read before anything was written to them.

#include <vector>

#include "ptx/module.h"

namespace optiml::ptx {

struct UndefinedRegister {
    std::uint32_t register_index = none;
    std::uint32_t reader = none;  // the first instruction that may find it without a value
};

// Of every register for which some path from the entry reaches a read without a write; a guarded write counts as none. Compilers make
// such paths where the value does not matter in the end, so that this alone says nothing of a fault.
std::vector<UndefinedRegister> undefined_registers(const Function& function);

}  // namespace optiml::ptx
