#pragma once

#include <vector>

#include "cuda_source/summaries.h"
#include "cuda_source/values.h"

namespace optiml::cuda_source {

// The memory accesses of a function in program order, and its effects, its callees' included.
struct CollectedAccesses {
    std::vector<Access> accesses;
    Effects effects;
};
CollectedAccesses collect_accesses(const SourceFile& source, FunctionId function, const Values& values, Summaries& summaries);

}  // namespace optiml::cuda_source
