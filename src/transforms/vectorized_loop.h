#pragma once

#include <vector>

#include "transforms/rewrite.h"

namespace optiml::transforms {

// vectorized_access of loops over elements, done by one thread or spread over lanes. What is left over, or everything where the addresses
// are not aligned, goes through the loop as it was:
//
//     const int vector_end = cols / 4 * 4;
//     for (int c = 4 * lane; c < vector_end; c += 128) { ... }
//     for (int c = vector_end + lane; c < cols; c += 32) { ... }
//
// A site is a set of loops in one block with the same counter, whose elements lie alike; its anchor is the first of them.
std::vector<Site> vectorized_loop_sites(const Context& context, std::size_t kernel, const KernelTree& tree);
void vectorize_loops(SourceEdit& edit, const Context& context, const Site& site, const KernelTree& tree, std::int64_t width);

}  // namespace optiml::transforms
