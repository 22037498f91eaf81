#include "optimizer/finalists.h"

#include <algorithm>

#include <fmt/format.h>

#include "evaluation/code_digest.h"

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

Digest code_of(const KernelState& state) { return evaluation::digest_of_code(state.evaluation.ptx, state.candidate); }

// States that come to the same code and launches are one finalist: verifying a twin says nothing new.
std::vector<search::StateId> finalists_of(const KernelProblem& problem) {
    std::vector<search::StateId> finalists;
    for (const search::StateId id : better_states(problem)) {
        const bool has_twin = std::any_of(finalists.begin(), finalists.end(), [&](search::StateId other) {
            return code_of(problem.state(other)) == code_of(problem.state(id));
        });
        if (!has_twin) finalists.push_back(id);
        if (finalists.size() == kFinalists) break;
    }
    return finalists;
}

}  // namespace

std::vector<search::StateId> path_to(const KernelProblem& problem, search::StateId state) {
    std::vector<search::StateId> path = {state};
    while (path.back() != 0) path.push_back(problem.state(path.back()).parent);
    std::reverse(path.begin(), path.end());
    return path;
}

Winner verified_winner(const KernelProblem& problem, evaluation::Evaluator& wider, const std::function<bool()>& interrupted) {
    Winner winner;
    for (const search::StateId finalist : finalists_of(problem)) {
        if (interrupted()) {
            winner.interrupted = true;
            winner.verification += "Interrupted in the wider verification: the original stands.";
            return winner;
        }
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
            if (!evaluation.accuracy_note.empty()) winner.verification += fmt::format(" Of accuracy: {}.", evaluation.accuracy_note);
            return winner;
        }
        const evaluation::Finding* finding = evaluation.first_finding();
        winner.verification += fmt::format("A faster candidate failed the wider verification: {}. ",
                                           finding == nullptr ? "no reason given" : finding->message);
    }
    return winner;
}

}  // namespace optiml::optimizer
