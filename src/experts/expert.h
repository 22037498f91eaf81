#pragma once
// The seam between those who propose edits (the catalogue, models) and the search.

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "diagnosis/bottleneck.h"
#include "task/candidate.h"

namespace optiml::experts {

struct Proposal {
    std::string name;      // "thread_coarsening(factor=4) at y in relu, line 3": unique among a candidate's proposals, same in every run
    std::string kind;      // proposals of one kind are expected to behave alike: the transformation's name
    double prior = 1;      // unnormalised, > 0: how promising, from the diagnosis
    // The candidate after the edit, with its Edit appended. Cheap; may be called once, later, from the thread that asked.
    std::function<Result<task::Candidate>()> make;
};

class Expert {
public:
    virtual ~Expert() = default;
    virtual std::string name() const = 0;  // "catalogue"
    // Deterministic. Nothing to propose, or a source that cannot be read: an empty list.
    virtual std::vector<Proposal> propose(const task::Candidate& candidate, const std::vector<diagnosis::Hypothesis>& hypotheses) = 0;
};

}  // namespace optiml::experts
