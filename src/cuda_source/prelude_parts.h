#pragma once
// The texts that the preludes are joined from.

#include <string_view>

namespace optiml::cuda_source {

extern const std::string_view nvrtc_text;     // limits and typedefs
extern const std::string_view keywords_text;  // __global__ and the like
extern const std::string_view types_text;     // vector types, built-in indices
extern const std::string_view host_text;      // runtime calls
extern const std::string_view math_text;
extern const std::string_view intrinsics_text;
extern const std::string_view memory_text;  // cached loads, atomics, shuffles
extern const std::string_view std_text;     // what of namespace std devices may use

}  // namespace optiml::cuda_source
