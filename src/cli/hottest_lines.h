#pragma once

#include <string>
#include <vector>

#include "evaluation/evaluation.h"

namespace optiml::cli {

// A table of the lines with the largest share of any cost (instructions, sectors, conflicts ...), the hottest first; costs that nothing
// has are left out. Empty where no line has a counter.
std::string hottest_lines(const std::vector<evaluation::LineProfile>& lines);

}  // namespace optiml::cli
