#pragma once
// The device code of HelperKernels, as NVRTC compiles it. Private to src/gpu.

namespace optiml::gpu {

const char* helper_kernels_source();

}  // namespace optiml::gpu
