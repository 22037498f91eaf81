#pragma once
// How promising the catalogue's transformations are for what binds a kernel.

#include <vector>

#include "diagnosis/bottleneck.h"
#include "transforms/transformation.h"

namespace optiml::experts {

// Unnormalised, > 0: the weights of the hypotheses that it relieves. The first bottleneck that a transformation names is the one it is
// made for; later ones count less.
double promise_of(const transforms::Transformation& transformation, const std::vector<diagnosis::Hypothesis>& hypotheses);

struct Promise {
    const transforms::Transformation* transformation;
    double promise;
    std::vector<diagnosis::Bottleneck> relieves;  // of the hypotheses', the heaviest first; never empty
};

// The transformations that relieve at least one of the hypotheses, the most promising first.
std::vector<Promise> promising(const std::vector<diagnosis::Hypothesis>& hypotheses);

}  // namespace optiml::experts
