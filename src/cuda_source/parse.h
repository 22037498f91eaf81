#pragma once

#include <string>
#include <vector>

#include "cuda_source/syntax.h"

namespace optiml::cuda_source {

struct ParseOptions {
    std::string file_name = "kernel.cu";
    std::vector<std::string> defines;  // "TILE=16"
    std::vector<std::string> include_paths;
    std::string cuda_include;  // the toolkit's headers; used only when the source includes something
    std::string standard = "c++17";
    // Template kernels as a launch plan names them ("scale<float, 4>"). A template of which exactly one instantiation is known
    // (from here or from the text) gets that one's types and constants.
    std::vector<std::string> instantiations;
    double time_limit_seconds = 20;
};

// Parses with clang (CUDA device side, sm_90), as NVRTC would: against our own prelude in some 12 ms, with CUDA's headers in some
// 50 ms (cuda_fp16.h, mma.h) to a second (cooperative groups). Host code beside the kernels may be beyond repair. Safe on several
// threads. Text that does not compile still gives a tree as far as clang recovers, with error diagnostics in it: that is an
// outcome. Errors: internal (clang could not be set up), environment (an #include but no CUDA headers), user (the text, with its macros,
// headers and templates, is more than clang can take).
Result<SourceFile> parse(std::string text, const ParseOptions& options);

// The first error diagnostic as an Error of the user, or success.
Status first_error(const SourceFile& source);

}  // namespace optiml::cuda_source
