#include "optimizer/cached_evaluator.h"

#include <algorithm>

namespace optiml::optimizer {

CachedEvaluator::CachedEvaluator(std::unique_ptr<evaluation::Evaluator> evaluator, runs::Store& store, const Digest& task,
                                 std::uint32_t jobs)
    : evaluator_(std::move(evaluator)), store_(store), task_(task), free_(std::max(1u, jobs)) {}

evaluation::Evaluation CachedEvaluator::evaluate(const task::Candidate& candidate) {
    const Digest key = key_of(candidate);
    if (std::optional<evaluation::Evaluation> known = look_up(key)) {
        return std::move(*known);
    }
    ++misses_;
    evaluation::Evaluation evaluation = evaluate_in_turn(candidate);
    if (!evaluation.is_inconclusive) save(key, evaluation);
    return evaluation;
}

// Kept apart from the evaluation: a resumed search must score a state by the counters that it was first scored by.
void CachedEvaluator::deepen(const task::Candidate& candidate, evaluation::Evaluation& evaluation) {
    const Digest key = Hasher().add(key_of(candidate)).add("deepened").finish();
    if (const std::optional<evaluation::Evaluation> known = look_up(key)) {
        evaluation.profile = known->profile;
        return;
    }
    const std::optional<evaluation::Profile> before = evaluation.profile;
    evaluator_->deepen(candidate, evaluation);
    if (evaluation.profile != before) save(key, evaluation);
}

void CachedEvaluator::save(const Digest& key, const evaluation::Evaluation& evaluation) {
    if (const Status saved = store_.cache_evaluation(key, evaluation::to_json(evaluation)); !saved) remember_failure(saved.error());
}

evaluation::Evaluation CachedEvaluator::evaluate_in_turn(const task::Candidate& candidate) {
    {
        std::unique_lock lock(mutex_);
        turn_.wait(lock, [this] { return free_ > 0; });
        --free_;
    }
    evaluation::Evaluation evaluation = evaluator_->evaluate(candidate);
    {
        const std::lock_guard lock(mutex_);
        ++free_;
    }
    turn_.notify_one();
    return evaluation;
}

Digest CachedEvaluator::key_of(const task::Candidate& candidate) const {
    return Hasher().add(candidate.digest()).add(task_).add(evaluator_->identity()).finish();
}

std::optional<evaluation::Evaluation> CachedEvaluator::look_up(const Digest& key) {
    const auto json = store_.cached_evaluation(key);
    if (!json) remember_failure(json.error());
    if (!json || !*json) return std::nullopt;
    Result<evaluation::Evaluation> evaluation = evaluation::evaluation_from_json(**json);
    if (!evaluation) return std::nullopt;  // written by another version: found out again
    return std::move(*evaluation);
}

void CachedEvaluator::remember_failure(const Error& error) {
    const std::lock_guard lock(mutex_);
    failure_ = error;
}

std::optional<Error> CachedEvaluator::failure() const {
    const std::lock_guard lock(mutex_);
    return failure_;
}

}  // namespace optiml::optimizer
