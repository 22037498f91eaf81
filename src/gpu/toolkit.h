#pragma once
// Where the CUDA toolkit, or the PyPI packages that stand for it, may be on this machine.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace optiml::gpu {

// Roots in the order they are tried: OPTIML_CUDA_HOME, CUDA_HOME, the project's .toolchain (beside or above the program),
// /usr/local/cuda, /opt/cuda, /usr. Only existing folders.
std::vector<std::filesystem::path> toolkit_roots();

// Full paths of existing files that match one of the names in the roots' library folders, then the bare names for the loader.
std::vector<std::string> library_candidates(const std::vector<std::string>& names);

// A program of the toolkit (nvdisasm, cuobjdump, ptxas, ncu, compute-sanitizer) in the roots, then on PATH; empty if there is none.
std::string find_toolkit_program(std::string_view name);

// The folder that holds cuda_runtime.h; empty if there is none.
std::string find_cuda_headers();

}  // namespace optiml::gpu
