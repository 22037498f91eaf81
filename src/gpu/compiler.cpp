#include "gpu/compiler.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "gpu/compiler_log.h"
#include "gpu/dynamic_library.h"
#include "gpu/source_bytes.h"
#include "gpu/toolkit.h"

namespace optiml::gpu {
namespace {

constexpr const char* kPreludeName = "optiml_prelude.h";

// NVRTC's C interface, as far as we use it (NVRTC documentation, chapter 3); results are ints, 0 is success.
using Program = void*;
struct Nvrtc {
    DynamicLibrary library;
    int (*version)(int*, int*) = nullptr;
    int (*create)(Program*, const char*, const char*, int, const char* const*, const char* const*) = nullptr;
    int (*destroy)(Program*) = nullptr;
    int (*compile)(Program, int, const char* const*) = nullptr;
    int (*add_name)(Program, const char*) = nullptr;
    int (*lowered_name)(Program, const char*, const char**) = nullptr;
    int (*log_size)(Program, std::size_t*) = nullptr;
    int (*log)(Program, char*) = nullptr;
    int (*ptx_size)(Program, std::size_t*) = nullptr;
    int (*ptx)(Program, char*) = nullptr;
    int (*cubin_size)(Program, std::size_t*) = nullptr;
    int (*cubin)(Program, char*) = nullptr;
    const char* (*error_string)(int) = nullptr;

    bool find_all() {
        return library.find("nvrtcVersion", version) && library.find("nvrtcCreateProgram", create) &&
               library.find("nvrtcDestroyProgram", destroy) && library.find("nvrtcCompileProgram", compile) &&
               library.find("nvrtcAddNameExpression", add_name) && library.find("nvrtcGetLoweredName", lowered_name) &&
               library.find("nvrtcGetProgramLogSize", log_size) && library.find("nvrtcGetProgramLog", log) &&
               library.find("nvrtcGetPTXSize", ptx_size) && library.find("nvrtcGetPTX", ptx) &&
               library.find("nvrtcGetCUBINSize", cubin_size) && library.find("nvrtcGetCUBIN", cubin) &&
               library.find("nvrtcGetErrorString", error_string);
    }
};

std::vector<std::string> options_of(const CompileRequest& request, const std::string& headers) {
    std::vector<std::string> options = {
        fmt::format("--gpu-architecture={}_{}", request.want_cubin ? "sm" : "compute", request.compute_capability),
        "--std=" + request.standard, "-lineinfo", "-default-device"};
    if (request.want_cubin) options.emplace_back("--ptxas-options=-v");
    if (!request.prelude.empty()) options.push_back(fmt::format("--pre-include={}", kPreludeName));
    for (const std::string& path : request.include_paths) options.push_back("--include-path=" + path);
    if (!headers.empty()) {
        options.push_back("--include-path=" + headers);
        options.push_back("--include-path=" + headers + "/cccl");
    }
    options.insert(options.end(), request.options.begin(), request.options.end());
    return options;
}

// Reads one of NVRTC's sized results.
std::string fetch(Program program, int (*size_of)(Program, std::size_t*), int (*get)(Program, char*)) {
    std::size_t size = 0;
    if (size_of(program, &size) != 0 || size == 0) return "";
    std::string bytes(size, '\0');
    return get(program, bytes.data()) == 0 ? bytes : "";
}

// Texts come with a terminating zero.
std::string without_zero(std::string text) {
    if (!text.empty() && text.back() == '\0') text.pop_back();
    return text;
}

class NvrtcCompiler final : public Compiler {
public:
    NvrtcCompiler(Nvrtc nvrtc, std::string headers) : nvrtc_(std::move(nvrtc)), headers_(std::move(headers)) {}

    std::string version() const override {
        int major = 0, minor = 0;
        nvrtc_.version(&major, &minor);
        return fmt::format("NVRTC {}.{}", major, minor);
    }
    std::string include_directory() const override { return headers_; }

    CompileOutcome compile(const CompileRequest& request) override {
        CompileOutcome outcome;
        Program program = nullptr;
        const char* header_text = request.prelude.c_str();
        const int header_count = request.prelude.empty() ? 0 : 1;
        const std::string source = readable_source(request.source);
        const int created = nvrtc_.create(&program, source.c_str(), request.file_name.c_str(), header_count, &header_text,
                                          &kPreludeName);
        if (created != 0) {
            outcome.messages.push_back({true, 0, 0, nvrtc_.error_string(created), ""});
            return outcome;
        }
        compile_program(program, request, outcome);
        nvrtc_.destroy(&program);
        return outcome;
    }

private:
    void compile_program(Program program, const CompileRequest& request, CompileOutcome& outcome) {
        for (const std::string& name : request.name_expressions) nvrtc_.add_name(program, name.c_str());
        const std::vector<std::string> options = options_of(request, headers_);
        std::vector<const char*> raw;
        for (const std::string& option : options) raw.push_back(option.c_str());
        const int result = nvrtc_.compile(program, static_cast<int>(raw.size()), raw.data());
        outcome.log = without_zero(fetch(program, nvrtc_.log_size, nvrtc_.log));
        std::replace(outcome.log.begin(), outcome.log.end(), '\0', '\n');  // between what NVRTC and ptxas say
        outcome.messages = compiler_messages(outcome.log, request.options);
        for (CompilerMessage& message : outcome.messages) {
            if (!message.kernel.empty()) message.line = line_of_shared_array(request.source, message.kernel);
            if (message.line == 0) message.line = line_of_word(request.source, message.words);
        }
        outcome.compiled = result == 0;
        if (!outcome.compiled) {
            const bool explained = std::any_of(outcome.messages.begin(), outcome.messages.end(), [](const auto& m) { return m.is_error; });
            if (!explained) outcome.messages.push_back({true, 0, 0, fmt::format("{}: {}", nvrtc_.error_string(result), outcome.log), ""});
            return;
        }
        outcome.ptx = without_zero(fetch(program, nvrtc_.ptx_size, nvrtc_.ptx));
        if (request.want_cubin) {
            const std::string cubin = fetch(program, nvrtc_.cubin_size, nvrtc_.cubin);
            outcome.cubin.assign(cubin.begin(), cubin.end());
        }
        name_kernels(program, request, outcome);
    }

    void name_kernels(Program program, const CompileRequest& request, CompileOutcome& outcome) {
        const auto figures = ptxas_figures(outcome.log);
        for (const std::string& name : request.name_expressions) {
            const char* lowered = nullptr;
            if (nvrtc_.lowered_name(program, name.c_str(), &lowered) != 0 || lowered == nullptr) continue;
            const auto found = figures.find(lowered);
            CompiledKernel kernel = found == figures.end() ? CompiledKernel{} : found->second;
            kernel.name = name;
            kernel.lowered_name = lowered;
            outcome.kernels.push_back(std::move(kernel));
        }
    }

    Nvrtc nvrtc_;
    std::string headers_;
};

}  // namespace

Result<std::unique_ptr<Compiler>> load_compiler() {
    auto library = DynamicLibrary::open(library_candidates({"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"}));
    if (!library) {
        return environment_error("the CUDA run-time compiler (NVRTC) was not found: " + library.error().message,
                                 "Run ./demo once (it brings NVRTC into .toolchain), or install a CUDA toolkit and set CUDA_HOME.");
    }
    Nvrtc nvrtc{.library = std::move(*library)};
    if (!nvrtc.find_all()) {
        return environment_error(fmt::format("{} lacks functions that OptiML needs", nvrtc.library.path()),
                                 "Use NVRTC 12.4 or newer; OPTIML_CUDA_HOME chooses another toolkit.");
    }
    return std::make_unique<NvrtcCompiler>(std::move(nvrtc), find_cuda_headers());
}

}  // namespace optiml::gpu
