#pragma once

#include <filesystem>

namespace optiml::process {

// The optiml program of this code: the process itself, or where another program has linked our shared library, bin/optiml of the same
// installation. Empty: there is none.
std::filesystem::path own_program();

}  // namespace optiml::process
