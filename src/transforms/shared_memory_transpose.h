#pragma once

#include <memory>

#include "transforms/transformation.h"

namespace optiml::transforms {

// A tile of results passes through shared memory, so that lanes are neighbours both where elements are read and where they are written.
// docs/transformations/shared_memory_transpose.md states when it is legal.
std::unique_ptr<Transformation> make_shared_memory_transpose();

}  // namespace optiml::transforms
