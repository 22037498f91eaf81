#pragma once

#include <memory>

#include "transforms/transformation.h"

namespace optiml::transforms {

// A thread computes several elements along one coordinate side by side, so that what they read in common is read once.
// docs/transformations/register_tiling.md states when it is legal.
std::unique_ptr<Transformation> make_register_tiling();

}  // namespace optiml::transforms
