#pragma once
// Adds up what was modelled for the launches of a plan.

#include "evaluation/evaluation.h"

namespace optiml::evaluation {

// Fills counters and lines from launches: sums (names that end in ".sum") are added over launches and repeats; everything else is
// weighted by time.
void add_up(Profile& profile);

}  // namespace optiml::evaluation
