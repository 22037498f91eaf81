#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace optiml::gpu {

// A cubin's machine code (SASS) as text with source lines, by nvdisasm (which cuobjdump calls as well). Errors (environment): it is not
// there, or it fails.
Result<std::string> list_machine_code(const std::vector<std::uint8_t>& cubin);

}  // namespace optiml::gpu
