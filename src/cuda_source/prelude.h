#pragma once
// What CUDA sources may use without an #include. The texts are our own; the names are CUDA's.

#include <string_view>

namespace optiml::cuda_source {

// Macros and typedefs that nvcc's users take from <math.h>, <float.h>, <limits.h> and <stdint.h>, which NVRTC has not. To be given
// to NVRTC in front of the user's text (as an included header, so that lines keep their numbers).
std::string_view nvrtc_prelude();

// Everything a CUDA compiler declares by itself, for clang: vector types, built-in indices, math, intrinsics, atomics, warp
// primitives. Stands for nvrtc_prelude() too.
std::string_view clang_prelude();

// A header whose declarations the preludes cover or which serves host code alone (<cuda_runtime.h>, <cmath>, <vector>): #include of
// it needs no file. The name is without brackets or quotes. To be given to NVRTC as an empty header.
bool is_covered_header(std::string_view name);

}  // namespace optiml::cuda_source
