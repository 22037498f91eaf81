#pragma once

#include <vector>

namespace optiml::evaluation {

double median(std::vector<double> values);  // 0 if there are none

// Rank correlation; ties get their mean rank. 0 for fewer than two values.
double spearman(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace optiml::evaluation
