#pragma once

#include <string>

#include "task/candidate.h"
#include "task/task.h"

namespace optiml::optimizer {

// A .cuh that includes the kernel's file and defines launch_NAME(buffers, sizes, float scalars, stream): the candidate's launch plan as
// host code, with scratch buffers allocated in stream order, and the attribute that more than 48 KiB of dynamic shared memory needs.
std::string launch_wrapper(const task::Task& task, const task::LaunchPlan& plan, const std::string& kernel_file);

}  // namespace optiml::optimizer
