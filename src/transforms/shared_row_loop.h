#pragma once

#include <memory>

#include "transforms/transformation.h"

namespace optiml::transforms {

// The loops with which one thread walks a row are shared by a warp or a block, reductions combined over its lanes.
// docs/transformations/shared_row_loop.md states when it is legal.
std::unique_ptr<Transformation> make_shared_row_loop();

}  // namespace optiml::transforms
