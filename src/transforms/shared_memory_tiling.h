#pragma once

#include <memory>

#include "transforms/transformation.h"

namespace optiml::transforms {

// The operands of a loop over products are staged tile by tile in shared memory, and each thread computes a small tile of the result in
// registers. docs/transformations/shared_memory_tiling.md states when it is legal.
std::unique_ptr<Transformation> make_shared_memory_tiling();

}  // namespace optiml::transforms
