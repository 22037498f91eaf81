#pragma once

#include <memory>

#include "transforms/transformation.h"

namespace optiml::transforms {

// A flat index that is taken apart into coordinates becomes a grid with axes: no division for the two fastest coordinates, and blocks that
// are tiles of a plane. docs/transformations/grid_axes.md states when it is legal.
std::unique_ptr<Transformation> make_grid_axes();

}  // namespace optiml::transforms
