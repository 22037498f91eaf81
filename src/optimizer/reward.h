#pragma once
// One number for the search: the log speed-up, sums of log ratios of the counters that bind the original, and guardrails.

#include "evaluation/evaluation.h"
#include "optiml/summary.h"

namespace optiml::optimizer {

struct RewardWeights {
    double speedup = 1;             // of ln(original time / candidate time)
    // Of ln(original / candidate), each times the share (0..1) of the original's time that its resource accounts for: they tell
    // candidates of equal time apart, and lead towards edits that pay off only together with a later one.
    double dram_bytes = 0.10;
    double l1_sectors = 0.05;
    double instructions = 0.05;
    double shared_wavefronts = 0.05;
    // Guardrails, subtracted.
    double lost_occupancy = 0.05;   // of ln(original / candidate) of the resident warps that registers and shared memory leave room for
    double spilled_bytes = 0.02;    // of ln(1 + bytes a thread spilled beyond the original's)
    double edit = 0.002;            // an edit that gains less is not worth reading
};

// By name, in the order of Reward::parts.
report::NamedNumbers named(const RewardWeights& weights);

struct Reward {
    double total = 0;               // the sum of parts
    double value = 0;               // what decides in the end: log speed-up less the cost of the edits
    report::NamedNumbers parts;     // weighted
};

// Both must be accepted, timed and profiled. edits: from the original to the candidate.
Reward reward_of(const evaluation::Evaluation& original, const evaluation::Evaluation& candidate, std::size_t edits,
                 const RewardWeights& weights);

}  // namespace optiml::optimizer
