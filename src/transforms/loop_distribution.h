#pragma once
// How a loop's iterations are spread over threads: all in one, or every K-th in one of K threads.

#include "cuda_source/analysis.h"
#include "transforms/kernel_tree.h"
#include "transforms/transformation.h"

namespace optiml::transforms {

enum class Distribution {
    sequential,   // for (c = 0; c < n; ++c): one thread does all, in order
    distributed,  // for (c = lane; c < n; c += lanes): the lanes 0 .. lanes-1 together do all
    other,
};

// Lanes are threadIdx.x with blockDim.x, threadIdx.x % 32 with 32, the flat index with gridDim.x * blockDim.x, and the like.
Distribution distribution_of(const Context& context, std::size_t kernel, const KernelTree& tree, const cuda_source::CanonicalLoop& loop);

// Whether a distributed loop's iterations may go to other lanes than now: they are independent, what it accumulates is used after the loop
// only by reductions over the lanes, and what it writes or reads no other part of the kernel touches or writes.
bool may_be_redistributed(const Context& context, std::size_t kernel, const KernelTree& tree, const cuda_source::CanonicalLoop& loop);

}  // namespace optiml::transforms
