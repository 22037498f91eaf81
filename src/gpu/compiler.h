#pragma once
// NVRTC, loaded at run time: CUDA source to PTX and cubin. Needs no GPU and no driver.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"

namespace optiml::gpu {

struct CompileRequest {
    std::string source;
    std::string file_name = "kernel.cu";           // in diagnostics and .loc
    std::vector<std::string> name_expressions;     // kernels as the plan names them ("scale<float, 4>")
    std::vector<std::string> options;              // beyond those we always give (-lineinfo, --std, architecture)
    std::vector<std::string> include_paths;
    std::string prelude;                           // included before the source without moving its lines
    std::string standard = "c++17";
    std::uint32_t compute_capability = 90;
    bool want_cubin = true;                        // also ptxas' figures (72 ms instead of 45)
};

struct CompiledKernel {
    std::string name;              // the name expression
    std::string lowered_name;      // in PTX and cubin
    std::uint32_t registers = 0;
    std::uint32_t static_shared = 0;
    std::uint32_t local_bytes = 0;
    std::uint32_t spill_store_bytes = 0;
    std::uint32_t spill_load_bytes = 0;
};

struct CompilerMessage {
    bool is_error = true;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    std::string text;
    std::string kernel;            // where it is about one and no line is given
    std::vector<std::string> words = {};  // likewise: it is about one of these
};

struct CompileOutcome {
    bool compiled = false;
    std::string ptx;
    std::vector<std::uint8_t> cubin;
    std::vector<CompiledKernel> kernels;
    std::vector<CompilerMessage> messages;  // with the user's lines
    std::string log;                        // as NVRTC gave it
    // What stopped it was not the source (no process, a crash, a limit of time): asked again it may come out otherwise.
    bool is_inconclusive = false;
};

class Compiler {
public:
    virtual ~Compiler() = default;
    virtual CompileOutcome compile(const CompileRequest& request) = 0;   // thread-safe
    virtual std::string version() const = 0;                             // "NVRTC 13.0"
    // The directory of CUDA headers that belongs to it; empty if none was found.
    virtual std::string include_directory() const = 0;
};

// Looks in OPTIML_CUDA_HOME, CUDA_HOME, /usr/local/cuda, .toolchain of the checkout (PyPI packages) and the loader's path.
// Error (environment): where it looked and how to install it.
Result<std::unique_ptr<Compiler>> load_compiler();

}  // namespace optiml::gpu
