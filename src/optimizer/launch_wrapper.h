#pragma once

#include <string>

#include "task/candidate.h"
#include "task/task.h"

namespace optiml::optimizer {

// A .cuh that includes the kernel's file and defines launch_NAME(buffers, sizes, float scalars, stream): the candidate's launch plan as
// host code, with its macros, scratch buffers allocated in stream order, and the attribute that more than 48 KiB of dynamic shared
// memory needs. Sizes and buffers that the task does not allow, and integers that a kernel's parameter cannot hold, are errors there.
std::string launch_wrapper(const task::Task& task, const task::Candidate& candidate, const std::string& kernel_file);

}  // namespace optiml::optimizer
