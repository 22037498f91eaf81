#pragma once

#include <string>

#include "optiml/summary.h"

namespace optiml::report {

// The run told step by step, as Markdown whose tables are aligned, so that it reads well on a terminal too.
// with_diff: ends with the unified diff of the original and the winner.
std::string explain(const Summary& summary, bool with_diff);

// "x 12.4 faster: 2.917 ms -> 0.235 ms (modelled, emulated:h200)" or that nothing better was found.
std::string headline(const Summary& summary);

// The heaviest hypotheses with their evidence, as a numbered list.
std::string hypotheses_text(const std::vector<diagnosis::Hypothesis>& hypotheses);

}  // namespace optiml::report
