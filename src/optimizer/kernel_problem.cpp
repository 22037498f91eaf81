#include "optimizer/kernel_problem.h"

#include <algorithm>
#include <utility>

#include "evaluation/code_digest.h"

namespace optiml::optimizer {

KernelProblem::KernelProblem(task::Candidate original, evaluation::Evaluation evaluation, evaluation::Evaluator& evaluator,
                             experts::Expert& expert, Ceilings ceilings, RewardWeights weights)
    : evaluator_(evaluator), expert_(expert), ceilings_(std::move(ceilings)), weights_(weights) {
    KernelState root;
    root.candidate = std::move(original);
    root.evaluation = std::move(evaluation);
    root.reward = reward_of(root.evaluation, root.evaluation, 0, weights_);
    ids_[root.candidate.digest()] = 0;
    states_.push_back(std::move(root));
}

KernelState& KernelProblem::at(search::StateId state) {
    const std::lock_guard lock(mutex_);
    return states_[state];
}

const KernelState& KernelProblem::state(search::StateId state) const {
    const std::lock_guard lock(mutex_);
    return states_[state];
}

search::StateId KernelProblem::state_count() const {
    const std::lock_guard lock(mutex_);
    return static_cast<search::StateId>(states_.size());
}

std::vector<search::Action> KernelProblem::actions(search::StateId id) {
    KernelState& from = at(id);
    // A card takes a quarter of a second for the dearer counters: only where the search has come farthest so far.
    if (id == 0 || is_best_so_far(from)) evaluator_.deepen(from.candidate, from.evaluation);
    const auto hypotheses = diagnosis::diagnose(diagnosis_inputs(from.evaluation, ceilings_));
    std::vector<experts::Proposal> proposals = expert_.propose(from.candidate, hypotheses);
    std::vector<search::Action> actions;
    for (const experts::Proposal& proposal : proposals) actions.push_back({proposal.name, proposal.prior, proposal.kind});
    proposals_[id] = std::move(proposals);
    return actions;
}

bool KernelProblem::is_best_so_far(const KernelState& state) const {
    const std::lock_guard lock(mutex_);
    return state.reward.value >= best_value_;
}

std::optional<search::StateId> KernelProblem::apply(search::StateId id, const search::Action& action) {
    Result<task::Candidate> candidate = internal_error("no such action");
    for (const experts::Proposal& proposal : proposals_[id]) {
        if (proposal.name == action.name) candidate = proposal.make();
    }
    if (!candidate) return std::nullopt;
    const Digest digest = candidate->digest();
    const std::lock_guard lock(mutex_);
    const auto [known, is_new] = ids_.try_emplace(digest, static_cast<search::StateId>(states_.size()));
    if (!is_new) return known->second;
    KernelState successor;
    successor.candidate = std::move(*candidate);
    successor.parent = id;
    successor.action = action.name;
    states_.push_back(std::move(successor));
    return known->second;
}

search::Score KernelProblem::evaluate(search::StateId id) {
    if (id == 0) return score_of(state(0));
    KernelState& evaluated = at(id);
    evaluated.evaluation = evaluator_.evaluate(evaluated.candidate);
    if (evaluated.evaluation.accepted && evaluated.evaluation.timing && evaluated.evaluation.profile) {
        evaluated.reward = reward_of(state(0).evaluation, evaluated.evaluation, evaluated.candidate.edits.size(), weights_);
        const std::lock_guard lock(mutex_);
        best_value_ = std::max(best_value_, evaluated.reward.value);
    }
    return score_of(evaluated);
}

search::Score KernelProblem::score_of(const KernelState& state) const {
    search::Score score;
    score.valid = state.evaluation.accepted && state.evaluation.timing && state.evaluation.profile;
    if (!score.valid) return score;
    score.reward = state.reward.total;
    score.value = state.reward.value;
    score.key = evaluation::digest_of_code(state.evaluation.ptx, state.candidate).hex();
    return score;
}

}  // namespace optiml::optimizer
