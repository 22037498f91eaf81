#pragma once

#include <memory>

#include "transforms/transformation.h"

namespace optiml::transforms {

// Two or four neighbouring elements are read and written with one wide access; a scalar loop takes what is left over.
// docs/transformations/vectorized_access.md states when it is legal.
std::unique_ptr<Transformation> make_vectorized_access();

}  // namespace optiml::transforms
