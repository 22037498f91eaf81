#pragma once

#include <memory>

#include "transforms/transformation.h"

namespace optiml::transforms {

// A grid of fixed size walks all elements in a loop, instead of one thread for each element.
// docs/transformations/grid_stride_loop.md states when it is legal.
std::unique_ptr<Transformation> make_grid_stride_loop();

}  // namespace optiml::transforms
