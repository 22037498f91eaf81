#pragma once
// Numbers that a candidate compares with and its original does not: sizes at which it may take another path.

#include <cstdint>
#include <vector>

#include "ptx/module.h"

namespace optiml::evaluation {

// Integer immediates of comparisons, from 2 to 2^16, in ascending order, that the original's comparisons have not.
std::vector<std::int64_t> size_constants(const ptx::Module& candidate, const ptx::Module& original);

}  // namespace optiml::evaluation
