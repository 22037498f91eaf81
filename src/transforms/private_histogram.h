#pragma once

#include <memory>

#include "transforms/transformation.h"

namespace optiml::transforms {

// Atomics on a small table in global memory go to a copy of it in shared memory, which each block adds to the table at its end.
// docs/transformations/private_histogram.md states when it is legal.
std::unique_ptr<Transformation> make_private_histogram();

}  // namespace optiml::transforms
