#pragma once

#include <memory>

#include "transforms/transformation.h"

namespace optiml::transforms {

// The x and y axes of threads and blocks change roles, so that neighbouring lanes touch neighbouring addresses.
// docs/transformations/thread_axis_swap.md states when it is legal.
std::unique_ptr<Transformation> make_thread_axis_swap();

}  // namespace optiml::transforms
