#pragma once

#include <cstdint>

#include "task/task.h"

namespace optiml::evaluation {

// The most elements that a kernel's source can index in any buffer: 2^31 - 1 where all its subscripts and pointer offsets are ints,
// 2^32 - 1 where some are unsigned, INT64_MAX where some are wider. Beyond it the original itself overflows, whatever the compiler
// made of that, and says nothing about candidates. A source that does not parse counts as one with ints.
std::int64_t index_limit(const task::Task& task, const std::string& cuda_include);

}  // namespace optiml::evaluation
