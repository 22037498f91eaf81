#pragma once

#include <string>
#include <string_view>

#include "ptx/module.h"

namespace optiml::ptx {

// A text that is equal for equal code: without comments, source places and debug information, with registers, local variables and
// labels numbered in order of appearance. What can change the back end's work (launch bounds, alignments, pragmas, initial values)
// stays, as do the names of kernels, functions and module variables. A key, not PTX that could be assembled.
std::string normalized_text(const Module& module);

// As above; text that does not parse is returned as it is.
std::string normalized_text(std::string_view ptx);

}  // namespace optiml::ptx
