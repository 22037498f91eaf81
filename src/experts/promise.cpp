#include "experts/promise.h"

#include <algorithm>

#include "transforms/catalogue.h"

namespace optiml::experts {
namespace {

using diagnosis::Hypothesis;
using transforms::Transformation;

constexpr double least_promise = 0.05;     // of a transformation that matches no hypothesis

}  // namespace

double promise_of(const Transformation& transformation, const std::vector<Hypothesis>& hypotheses) {
    const auto relieved = transformation.relieves();
    double promise = least_promise;
    for (const Hypothesis& hypothesis : hypotheses) {
        const auto found = std::find(relieved.begin(), relieved.end(), hypothesis.bottleneck);
        if (found != relieved.end()) promise += hypothesis.weight / static_cast<double>(found - relieved.begin() + 1);
    }
    return promise;
}

std::vector<Promise> promising(const std::vector<Hypothesis>& hypotheses) {
    std::vector<Promise> promises;
    for (const auto& transformation : transforms::catalogue()) {
        Promise promise{transformation.get(), promise_of(*transformation, hypotheses), {}};
        const auto relieved = transformation->relieves();
        for (const Hypothesis& hypothesis : hypotheses) {
            const bool helps = std::find(relieved.begin(), relieved.end(), hypothesis.bottleneck) != relieved.end();
            if (helps) promise.relieves.push_back(hypothesis.bottleneck);
        }
        if (!promise.relieves.empty()) promises.push_back(std::move(promise));
    }
    std::stable_sort(promises.begin(), promises.end(), [](const Promise& a, const Promise& b) { return a.promise > b.promise; });
    return promises;
}

}  // namespace optiml::experts
