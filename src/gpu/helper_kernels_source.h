#pragma once
// The device code of HelperKernels, as NVRTC compiles it. Private to src/gpu and to the test that runs it on the emulator.

#include <set>
#include <string>

#include "gpu/helper_kernels.h"

namespace optiml::gpu {

const char* name_of(ElementType type);  // "f32"

// Comparison and fill for these types only: each takes a tenth of a second to compile.
std::string helper_kernels_source(const std::set<ElementType>& types);

}  // namespace optiml::gpu
