#pragma once

#include <functional>

namespace optiml::cuda_source {

// Runs the work on a thread with a stack of 1 GiB, of which only what is touched takes memory, and waits for it: parsers descend once
// for every nesting of the text. On the caller's own stack where such a thread cannot be had.
void run_on_large_stack(const std::function<void()>& work);

}  // namespace optiml::cuda_source
