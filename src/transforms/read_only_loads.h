#pragma once

#include <memory>

#include "transforms/transformation.h"

namespace optiml::transforms {

// __restrict__ and const on pointer parameters that the launch plan shows to be distinct, and loads through __ldg.
// docs/transformations/read_only_loads.md states when it is legal.
std::unique_ptr<Transformation> make_read_only_loads();

}  // namespace optiml::transforms
