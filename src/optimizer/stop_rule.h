#pragma once

#include <memory>

#include "optimizer/settings.h"
#include "optimizer/cached_evaluator.h"
#include "search/search.h"

namespace optiml::optimizer {

// The budget as a stop rule. A budget of seconds counts those of earlier attempts too, but never stops a resumed search while it only
// tells again what is in the cache: it must reach the place where it was cut off.
std::unique_ptr<search::StopRule> stop_rule_of(const Budget& budget, double seconds_spent_before, const CachedEvaluator& evaluator);

}  // namespace optiml::optimizer
