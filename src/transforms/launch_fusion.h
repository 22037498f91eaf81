#pragma once

#include <memory>

#include "transforms/transformation.h"

namespace optiml::transforms {

// docs/transformations/launch_fusion.md
std::unique_ptr<Transformation> make_launch_fusion();

}  // namespace optiml::transforms
