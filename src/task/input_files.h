#pragma once

#include "base/disk.h"
#include "base/hash.h"
#include "task/task.h"

namespace optiml::task {

// Of all that decides an evaluation beside the candidate: the task, and the contents of the files that it names: values of inputs, and
// the headers that its sources include, and those include, as far as they lie beside a source or in the task's include paths (the
// toolkit's own are the compiler's). A file that cannot be read counts as one without contents: what needs it tells.
Digest digest_with_files(const Task& task, const Disk& disk);

}  // namespace optiml::task
