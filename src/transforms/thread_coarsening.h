#pragma once

#include <memory>

#include "transforms/transformation.h"

namespace optiml::transforms {

// Each thread computes several elements along one axis instead of one.
// docs/transformations/thread_coarsening.md states when it is legal.
std::unique_ptr<Transformation> make_thread_coarsening();

}  // namespace optiml::transforms
