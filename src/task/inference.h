#pragma once
// A task file for a kernel that has none, read off its source as far as that is safe.

#include <string>
#include <vector>

#include "cuda_source/syntax.h"

namespace optiml::task {

struct InferredTask {
    std::string toml;                    // a whole task file; what is not known stands as "?"
    std::vector<std::string> questions;  // what the user must say, one sentence each; empty: the file can be used as it is
};

// Known: which sizes bound the threads and loops, extents that follow from indices within those bounds, roles from what is read and
// written, a grid that covers the bounded threads. Not known: extents of data-dependent indices, values of numbers that bound
// nothing, block sizes that shared memory or barriers were written for, initial values that a sum needs.
InferredTask infer_task(const cuda_source::SourceFile& source, cuda_source::FunctionId kernel);

}  // namespace optiml::task
