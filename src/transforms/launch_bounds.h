#pragma once

#include <memory>

#include "transforms/transformation.h"

namespace optiml::transforms {

// __launch_bounds__ with the plan's block size, and optionally a number of blocks that must fit on a multiprocessor.
// docs/transformations/launch_bounds.md states when it is legal.
std::unique_ptr<Transformation> make_launch_bounds();

}  // namespace optiml::transforms
