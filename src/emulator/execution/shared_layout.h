#pragma once
// Where a kernel's shared variables lie in a block's shared memory.

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ptx/module.h"

namespace optiml::emulator {

struct SharedVariable {
    std::string name;
    std::uint32_t offset = 0;
    std::uint32_t bytes = 0;
};

// Variables are kept apart by gaps, so that an overrun of one array is noticed and not an access to the next. Gaps are multiples of
// 128 bytes, so that banks stay those of the packed layout.
struct SharedLayout {
    std::vector<SharedVariable> variables;   // static ones
    // (function or null for module variables, index) -> offset
    std::map<std::pair<const ptx::Function*, std::uint32_t>, std::uint32_t> offsets;
    std::uint32_t dynamic_offset = 0;        // of all `extern __shared__` arrays
    std::uint32_t packed_bytes = 0;          // static shared memory as a GPU would lay it out
};

// Of all module-level shared variables and those of the functions given.
SharedLayout lay_out_shared(const ptx::Module& module, const std::vector<const ptx::Function*>& functions);

}  // namespace optiml::emulator
