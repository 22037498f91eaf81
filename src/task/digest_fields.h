#pragma once

#include "base/hash.h"
#include "task/task.h"

namespace optiml::task {

void add_fields(Hasher& hasher, const CompileOptions& compile);

}  // namespace optiml::task
