#pragma once
// L1 and L2: a built candidate run on the emulator with all checks over many sizes and values, its results against the original's.

#include <vector>

#include "base/clock.h"
#include "evaluation/reference.h"
#include "evaluation/trials.h"
#include "task/candidate.h"

namespace optiml::evaluation {

struct Verdict {
    std::vector<Finding> findings;  // of the first trial that found anything; empty: accepted
    Level level = Level::L2;        // passed
    std::string printed;            // in the first trial
};

// Stops at the first trial with findings; after one of mere inaccuracy the other trials with declared values are looked at first. Choices at which the original is at fault are left out.
Verdict verify(References& references, const Build& build, const task::Candidate& candidate, const std::vector<Trial>& trials,
               const Deadline& deadline);

}  // namespace optiml::evaluation
