#include "optimizer/finalists.h"

#include <algorithm>

#include <fmt/format.h>

namespace optiml::optimizer {
namespace {

constexpr std::size_t kFinalists = 5;

// Accepted states that are better than the original, the best first.
std::vector<search::StateId> better_states(const KernelProblem& problem) {
    std::vector<search::StateId> better;
    for (search::StateId id = 1; id < problem.state_count(); ++id) {
        const KernelState& state = problem.state(id);
        if (state.evaluation.accepted && state.reward.value > 0) better.push_back(id);
    }
    std::stable_sort(better.begin(), better.end(), [&](search::StateId a, search::StateId b) {
        return problem.state(a).reward.value > problem.state(b).reward.value;
    });
    return better;
}

}  // namespace

std::vector<search::StateId> path_to(const KernelProblem& problem, search::StateId state) {
    std::vector<search::StateId> path = {state};
    while (path.back() != 0) path.push_back(problem.state(path.back()).parent);
    std::reverse(path.begin(), path.end());
    return path;
}

Winner verified_winner(const KernelProblem& problem, evaluation::Evaluator& wider) {
    Winner winner;
    std::vector<search::StateId> finalists = better_states(problem);
    if (finalists.size() > kFinalists) finalists.resize(kFinalists);
    for (const search::StateId finalist : finalists) {
        const evaluation::Evaluation evaluation = wider.evaluate(problem.state(finalist).candidate);
        const bool measured = evaluation.timing && evaluation.timing->source == evaluation::Source::measured;
        if (evaluation.accepted && measured && !is_certain(*evaluation.timing)) {
            winner.verification += "A candidate's advantage was gone when it was measured again. ";
            continue;
        }
        if (evaluation.accepted) {
            if (measured) winner.timing = evaluation.timing;
            winner.path = path_to(problem, finalist);
            winner.verification += fmt::format("The winner passed {} with the wider set of sizes and values.", name_of(evaluation.level));
            return winner;
        }
        const evaluation::Finding* finding = evaluation.first_finding();
        winner.verification += fmt::format("A faster candidate failed the wider verification: {}. ",
                                           finding == nullptr ? "no reason given" : finding->message);
    }
    return winner;
}

}  // namespace optiml::optimizer
