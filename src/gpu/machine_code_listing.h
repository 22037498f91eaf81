#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace optiml::gpu {

// A cubin's machine code (SASS) as text: by nvdisasm, with source lines, else by cuobjdump. Errors (environment): neither is there, or it
// fails.
Result<std::string> list_machine_code(const std::vector<std::uint8_t>& cubin);

}  // namespace optiml::gpu
