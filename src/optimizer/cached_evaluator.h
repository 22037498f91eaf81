#pragma once
// An evaluator that asks the run store first, saves what it had to find out, and lets only so many evaluations run at once.

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>

#include "evaluation/evaluation.h"
#include "runs/store.h"

namespace optiml::optimizer {

class CachedEvaluator final : public evaluation::Evaluator {
public:
    // task: the digest of all that decides an evaluation beside the candidate and the evaluator.
    CachedEvaluator(std::unique_ptr<evaluation::Evaluator> evaluator, runs::Store& store, const Digest& task, std::uint32_t jobs);

    evaluation::Evaluation evaluate(const task::Candidate& candidate) override;
    std::string identity() const override { return evaluator_->identity(); }
    // Remembers what was added.
    void deepen(const task::Candidate& candidate, evaluation::Evaluation& evaluation) override;
    void rest() override { evaluator_->rest(); }

    // What the store failed with (a full disk): evaluations are right but no longer saved.
    std::optional<Error> failure() const;
    std::uint64_t misses() const { return misses_; }

private:
    evaluation::Evaluation evaluate_in_turn(const task::Candidate& candidate);
    void save(const Digest& key, const evaluation::Evaluation& evaluation);
    Digest key_of(const task::Candidate& candidate) const;
    std::optional<evaluation::Evaluation> look_up(const Digest& key);
    void remember_failure(const Error& error);

    const std::unique_ptr<evaluation::Evaluator> evaluator_;
    runs::Store& store_;
    const Digest task_;
    std::atomic<std::uint64_t> misses_ = 0;
    mutable std::mutex mutex_;
    std::condition_variable turn_;
    std::uint32_t free_;  // evaluations that may still start
    std::optional<Error> failure_;
};

}  // namespace optiml::optimizer
