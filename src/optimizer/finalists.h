#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "optimizer/kernel_problem.h"

namespace optiml::optimizer {

struct Winner {
    std::vector<search::StateId> path = {0};  // from the root
    bool interrupted = false;                 // before there was one
    std::string verification;                 // how it was verified, sentences
    std::optional<evaluation::Timing> timing; // measured anew in the wider verification, free of the luck of being the best of many
};

// The best state that also passes a wider verification. After five that do not, or once interrupted, the original is kept.
Winner verified_winner(const KernelProblem& problem, evaluation::Evaluator& wider, const std::function<bool()>& interrupted);

std::vector<search::StateId> path_to(const KernelProblem& problem, search::StateId state);

}  // namespace optiml::optimizer
