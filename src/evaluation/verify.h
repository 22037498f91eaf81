#pragma once
// L1 and L2: a built candidate run on the emulator with all checks over many sizes and values, its results against the original's.

#include <vector>

#include "base/clock.h"
#include "evaluation/reference.h"
#include "task/candidate.h"

namespace optiml::evaluation {

// One run of the candidate.
struct Trial {
    InputChoice choice;
    std::uint64_t schedule_seed = 0;
    bool repeats = false;  // another trial had the same choice: what differs now depends on the order of execution
};

// Sizes and values in the order in which they are tried, cheap ones first. sizes: the first entry the small ones, as task::edge_sizes.
std::vector<Trial> trials_of(const task::Task& task, const std::vector<task::Sizes>& sizes, std::uint64_t seed);

// The product of all sizes: a measure of a run's work for sorting.
double work_of(const task::Sizes& sizes);

struct Verdict {
    std::vector<Finding> findings;  // of the first trial that found anything; empty: accepted
    Level level = Level::L2;        // passed
};

// Stops at the first trial with findings. Choices at which the original is at fault are left out.
Verdict verify(References& references, const Build& build, const task::Candidate& candidate, const std::vector<Trial>& trials,
               const Deadline& deadline);

}  // namespace optiml::evaluation
