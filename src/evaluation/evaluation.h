#pragma once
// Who evaluates candidates; what comes of it is in the public header.

#include <string>
#include <string_view>

#include "base/result.h"
#include "optiml/evaluation.h"
#include "task/candidate.h"
#include "task/task.h"

namespace optiml::evaluation {

class Evaluator {
public:
    virtual ~Evaluator() = default;
    // Never throws, never errors; thread-safe.
    virtual Evaluation evaluate(const task::Candidate& candidate) = 0;
    // Adds counters that cost too much for every candidate but are wanted of those the search goes on from.
    virtual void deepen(const task::Candidate&, Evaluation&) {}
    // Gives back what it holds of the device, until it is asked again. Not while evaluations run.
    virtual void rest() {}
    // Identifies evaluator, version and device, for the cache.
    virtual std::string identity() const = 0;
};

// To and from JSON, for the cache and for workers.
std::string to_json(const Evaluation& evaluation);
Result<Evaluation> evaluation_from_json(std::string_view json);

}  // namespace optiml::evaluation
