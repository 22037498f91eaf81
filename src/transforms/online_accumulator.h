#pragma once

#include <vector>

#include "transforms/accumulator.h"

namespace optiml::transforms {

// A running maximum with the sums that are rescaled when it grows (Milakov and Gimelshein, arXiv 1805.02867):
//
//     const float k = fmaxf(m, v);
//     s = s * expf(m - k) + expf(v - k);
//     m = k;
//
// The maximum comes first; empty where the loop's body holds no such group. Every addend must be a multiple of exp(something - k):
// then the sums depend on the set of values alone and not on their order.
std::vector<Accumulator> online_accumulators(const KernelTree& tree, cuda_source::StatementId loop);

}  // namespace optiml::transforms
