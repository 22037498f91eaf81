#pragma once

#include "cuda_source/summaries.h"
#include "cuda_source/values.h"

namespace optiml::cuda_source {

// Sorts the loops of the kernel into facts.loops, geometric_loops and other_loops; facts.accesses must be filled.
void classify_loops(const SourceFile& source, const Values& values, Summaries& summaries, KernelFacts& facts);

}  // namespace optiml::cuda_source
