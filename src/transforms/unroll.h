#pragma once

#include <memory>

#include "transforms/transformation.h"

namespace optiml::transforms {

// #pragma unroll before a loop.
// docs/transformations/unroll.md states when it is legal.
std::unique_ptr<Transformation> make_unroll();

}  // namespace optiml::transforms
