#pragma once
// A candidate's results against the reference.

#include <optional>

#include "evaluation/reference.h"

namespace optiml::evaluation {

struct Deviation {
    FindingKind kind = FindingKind::wrong_values;  // or accuracy: near, but not near enough
    std::size_t buffer = 0;
    std::uint64_t element = 0;                     // the one that is furthest off
    bool never_written = false;                    // by the candidate
    std::string message;
};

// The worst deviation, if any. Elements that the original does not write hold whatever they held before: a candidate may not write them.
std::optional<Deviation> compare(const Reference& reference, const std::vector<Output>& outputs, const task::Checks& checks);

// Whether an output of zeros, or of one constant, would be told from the right one: whether the comparison means anything.
bool has_power(const Reference& reference);

}  // namespace optiml::evaluation
