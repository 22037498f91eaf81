#pragma once

#include "base/disk.h"
#include "optimizer/settings.h"
#include "task/task.h"

namespace optiml::optimizer {

// The task of a kernel file: from the task file given, else from the one beside it with the same stem. Errors (user) say what is
// missing: the file, a kernel in it, the kernel that was named (with those that there are), a task file (with how to write one).
Result<task::Task> load_task(const TaskChoice& choice, const Disk& disk);

}  // namespace optiml::optimizer
