#pragma once

#include <string>

#include "cuda_source/syntax.h"

namespace optiml::cuda_source {

// What NVRTC is to compile of a file that may hold host code too: functions and variables of the host and #include lines of covered
// headers (cuda_source/prelude.h) are blanked, constexpr functions become `__host__ __device__`. Lines keep their numbers.
std::string device_text(const SourceFile& source);

}  // namespace optiml::cuda_source
