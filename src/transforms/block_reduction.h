#pragma once

#include <memory>

#include "transforms/transformation.h"

namespace optiml::transforms {

// One atomic a thread becomes a sum in registers over many elements, a reduction within the block, and one atomic a block.
// docs/transformations/block_reduction.md states when it is legal.
std::unique_ptr<Transformation> make_block_reduction();

}  // namespace optiml::transforms
