#pragma once
// NVRTC in processes of its own: source on which it hangs, crashes or takes all memory costs that one compilation and no more.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gpu/compiler.h"

namespace optiml::workers {

struct IsolationSettings {
    std::vector<std::string> command;       // starts a compile worker
    std::size_t workers = 1;                // compilations at once
    double seconds = 30;                    // for one compilation; what takes longer is inconclusive
    std::uint64_t memory_bytes = std::uint64_t{8} << 30;  // address space of each process
};

// Waits until a worker is ready. Error (environment): none starts; NVRTC was not found.
Result<std::unique_ptr<gpu::Compiler>> make_isolated_compiler(const IsolationSettings& settings);

// The one that commands use: with our own program as the worker, and $OPTIML_COMPILE_SECONDS as the limit where it is set. In this process
// where there is no program called optiml (another one has linked the library and optiml is not installed beside it). Errors: the same.
Result<std::unique_ptr<gpu::Compiler>> load_isolated_compiler(std::size_t workers);

}  // namespace optiml::workers
