#pragma once
// The seam to clang: everything below this folder includes clang's headers, nothing else does.

#include <string>

#include "cuda_source/parse.h"
#include "cuda_source/syntax.h"

namespace optiml::cuda_source {

// Fills `source` (whose name and text are set) from clang's tree. Error (internal): clang could not be set up.
Status run_front_end(SourceFile& source, const ParseOptions& options);

}  // namespace optiml::cuda_source
