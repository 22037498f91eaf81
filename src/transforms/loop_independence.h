#pragma once

#include "cuda_source/analysis.h"
#include "transforms/kernel_tree.h"
#include "transforms/thread_mapping.h"
#include "transforms/transformation.h"

namespace optiml::transforms {

// No iteration of the loop writes memory that another iteration reads or writes. Atomics commute and do not count; private arrays are
// left to accumulators_of().
bool has_independent_iterations(const Context& context, std::size_t kernel, const KernelTree& tree, const cuda_source::CanonicalLoop& loop);

// Whether two accesses of different loops touch the same element in iterations with the same counter, and only in those.
bool is_same_element(const Context& context, std::size_t kernel, const cuda_source::Access& a, const cuda_source::CanonicalLoop& loop_of_a,
                     const cuda_source::Access& b, const cuda_source::CanonicalLoop& loop_of_b);

// Whether two accesses may touch the same memory: not where they are parameters that the plan gives distinct buffers, or different arrays.
bool may_share_buffer(const Context& context, std::size_t kernel, const cuda_source::Access& a, const cuda_source::Access& b);

// Global memory, as opposed to arrays that each thread has for itself.
bool is_global(const Context& context, const cuda_source::Access& access);

}  // namespace optiml::transforms
