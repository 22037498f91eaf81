#pragma once

#include "transforms/source_edit.h"
#include "transforms/transformation.h"

namespace optiml::transforms {

// Writes __launch_bounds__(threads[, blocks]) at a kernel, in place of one that is there. blocks 0: left out.
void set_launch_bounds(SourceEdit& edit, const Context& context, std::size_t kernel, std::int64_t threads, std::int64_t blocks);

// Where a kernel has launch bounds, makes them those of a new block size: a launch with more threads than promised would fail.
void update_launch_bounds(SourceEdit& edit, const Context& context, std::size_t kernel, std::int64_t threads);

}  // namespace optiml::transforms
