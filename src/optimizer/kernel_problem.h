#pragma once
// The search's world made of kernels: states are candidates, actions an expert's proposals, scores rewards of evaluations.

#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "evaluation/evaluation.h"
#include "experts/expert.h"
#include "optimizer/diagnosis_inputs.h"
#include "optimizer/reward.h"
#include "search/search.h"
#include "task/candidate.h"

namespace optiml::optimizer {

struct KernelState {
    task::Candidate candidate;
    search::StateId parent = 0;
    std::string action;                  // that led here; empty for the original
    evaluation::Evaluation evaluation;   // valid once evaluated
    Reward reward;                       // valid where the evaluation was accepted
};

class KernelProblem final : public search::Problem {
public:
    // The original comes with its evaluation, which must be accepted, timed and profiled.
    KernelProblem(task::Candidate original, evaluation::Evaluation evaluation, evaluation::Evaluator& evaluator,
                  experts::Expert& expert, Ceilings ceilings, RewardWeights weights);

    std::vector<search::Action> actions(search::StateId state) override;
    std::optional<search::StateId> apply(search::StateId state, const search::Action& action) override;
    search::Score evaluate(search::StateId state) override;

    // A reference stays valid. Of a state in evaluation only candidate, parent and action may be read.
    const KernelState& state(search::StateId state) const;
    search::StateId state_count() const;

private:
    KernelState& at(search::StateId state);
    bool is_best_so_far(const KernelState& state) const;
    search::Score score_of(const KernelState& state) const;

    evaluation::Evaluator& evaluator_;
    experts::Expert& expert_;
    const Ceilings ceilings_;
    const RewardWeights weights_;
    mutable std::mutex mutex_;           // guards the containers and best_value_, not the states
    double best_value_ = 0;              // of an evaluated state's reward; the root's is 0
    std::deque<KernelState> states_;     // by id
    std::map<Digest, search::StateId> ids_;
    std::map<search::StateId, std::vector<experts::Proposal>> proposals_;
};

}  // namespace optiml::optimizer
