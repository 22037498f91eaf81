#pragma once

#include <vector>

namespace optiml::evaluation {

// Rank correlation; ties get their mean rank. 0 for fewer than two values.
double spearman(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace optiml::evaluation
