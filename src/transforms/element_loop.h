#pragma once
// Turns the body that a thread executes for one element into a loop over all elements of the grid's stride:
//
//     for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) { ... }

#include "transforms/element_body.h"

namespace optiml::transforms {

// Where it cannot be shown that a 32-bit signed index stays below 2^31 when the stride is added to the last one, the loop counts in
// 64 bits and the user's index is a copy of the counter.
void make_element_loop(SourceEdit& edit, const Context& context, std::size_t kernel, const KernelTree& tree, const ElementBody& body,
                       const std::string& before = {}, const std::string& after = {});

}  // namespace optiml::transforms
