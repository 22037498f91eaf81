#pragma once
// Shared-memory bank conflicts of a calibration, entry by entry.

#include <string>
#include <vector>

#include "evaluation/calibration.h"

namespace optiml::evaluation {

// Figures and the entries that differ, of those with affine addresses at the medium size, as a section in Markdown.
std::string bank_conflicts_markdown(const std::vector<CalibratedEntry>& entries);

// Whether the card counted the same twice: the counter of all conflicts is read in another run of the kernel than those of loads and
// stores, so that they add up only where conflicts do not depend on timing.
bool repeats_itself(const RecordedEntry& entry);

}  // namespace optiml::evaluation
