#pragma once
// An evaluator that remembers, in a store that outlives the process.

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "evaluation/evaluation.h"

namespace optiml::evaluation {

// Where evaluations are kept, as JSON by content address. Thread-safe. A store that fails finds nothing and keeps nothing.
class EvaluationCache {
public:
    virtual ~EvaluationCache() = default;
    virtual std::optional<std::string> find(const Digest& key) = 0;
    virtual void keep(const Digest& key, std::string_view json) = 0;
};

class CachedEvaluator final : public Evaluator {
public:
    // inner and cache must outlive this. task: the digest of what the evaluator was made for.
    CachedEvaluator(Evaluator& inner, EvaluationCache& cache, const Digest& task) : inner_(inner), cache_(cache), task_(task) {}

    Evaluation evaluate(const task::Candidate& candidate) override { return evaluate(candidate, nullptr); }
    // was_cached: set to whether the answer came from the cache; may be null.
    Evaluation evaluate(const task::Candidate& candidate, bool* was_cached);
    std::string identity() const override { return inner_.identity(); }

    Digest key_of(const task::Candidate& candidate) const;

private:
    Evaluator& inner_;
    EvaluationCache& cache_;
    Digest task_;
};

}  // namespace optiml::evaluation
