#pragma once

#include "optimizer/kernel_problem.h"
#include "optiml/summary.h"

namespace optiml::optimizer {

// Takes original, best and interval from one interleaved measurement.
void set_times(report::Summary& summary, const evaluation::Timing& timing);

// Tells the winning path: each step's time, hypothesis and counters that moved, and the winner against the original.
// path: states from the root to the winner. Fills in what follows from the states alone.
report::Summary summarize(const task::Task& task, const KernelProblem& problem, const std::vector<search::StateId>& path,
                          const Ceilings& ceilings, const RewardWeights& weights);

}  // namespace optiml::optimizer
