#pragma once

#include "transforms/kernel_tree.h"


namespace optiml::transforms {

// Whether an expression has the same value in all threads that share blockIdx.y and blockIdx.z, at any time of the kernel: made of
// literals, parameters and locals that are never changed, without a load.
bool is_uniform(const KernelTree& tree, cuda_source::ExpressionId expression);

// The same for an address: out, &out[0], out + 3.
bool is_uniform_address(const KernelTree& tree, cuda_source::ExpressionId address);

}  // namespace optiml::transforms
