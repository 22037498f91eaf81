#include "evaluation/cached.h"

namespace optiml::evaluation {

Digest CachedEvaluator::key_of(const task::Candidate& candidate) const {
    return Hasher().add(inner_.identity()).add(task_).add(candidate.digest()).finish();
}

Evaluation CachedEvaluator::evaluate(const task::Candidate& candidate, bool* was_cached) {
    const Digest key = key_of(candidate);
    if (was_cached != nullptr) *was_cached = false;
    if (const auto json = cache_.find(key)) {
        // An entry that cannot be read is of an older version, or damaged: evaluated anew and overwritten.
        if (auto evaluation = evaluation_from_json(*json)) {
            if (was_cached != nullptr) *was_cached = true;
            return std::move(*evaluation);
        }
    }
    Evaluation evaluation = inner_.evaluate(candidate);
    cache_.keep(key, to_json(evaluation));
    return evaluation;
}

}  // namespace optiml::evaluation
