#pragma once

#include <memory>

#include "transforms/transformation.h"

namespace optiml::transforms {

// Other block extents, and the grid that covers the same elements with them.
// docs/transformations/block_shape.md states when it is legal.
std::unique_ptr<Transformation> make_block_shape();

}  // namespace optiml::transforms
