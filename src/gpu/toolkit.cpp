#include "gpu/toolkit.h"

#include <cstdlib>
#include <system_error>

#include "process/process.h"

namespace optiml::gpu {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
    std::error_code code;
    return fs::exists(path, code);
}

void add_environment(std::vector<fs::path>& roots, const char* variable) {
    const char* value = std::getenv(variable);
    if (value != nullptr && *value != '\0' && is_there(value)) roots.emplace_back(value);
}

// ./demo and ./test install the compiler's PyPI packages into the checkout's .toolchain; the program lies some folders below it.
void add_project_toolchain(std::vector<fs::path>& roots) {
    std::error_code code;
    fs::path folder = fs::read_symlink("/proc/self/exe", code).parent_path();
    for (; !code && folder.has_relative_path(); folder = folder.parent_path()) {
        const fs::path root = folder / ".toolchain" / "nvidia" / "cu13";
        if (is_there(root)) roots.push_back(root);
    }
}

}  // namespace

std::vector<fs::path> toolkit_roots() {
    std::vector<fs::path> roots;
    add_environment(roots, "OPTIML_CUDA_HOME");
    add_environment(roots, "CUDA_HOME");
    add_project_toolchain(roots);
    for (const char* usual : {"/usr/local/cuda", "/opt/cuda", "/usr"}) {
        if (is_there(usual)) roots.emplace_back(usual);
    }
    return roots;
}

std::vector<std::string> library_candidates(const std::vector<std::string>& names) {
    std::vector<std::string> candidates;
    for (const fs::path& root : toolkit_roots()) {
        for (const char* folder : {"lib64", "lib", "targets/x86_64-linux/lib", "lib/x86_64-linux-gnu", "extras/CUPTI/lib64"}) {
            for (const std::string& name : names) {
                if (is_there(root / folder / name)) candidates.push_back((root / folder / name).string());
            }
        }
    }
    candidates.insert(candidates.end(), names.begin(), names.end());
    return candidates;
}

std::string find_toolkit_program(std::string_view name) {
    for (const fs::path& root : toolkit_roots()) {
        const fs::path program = root / "bin" / name;
        if (is_there(program)) return program.string();
    }
    return process::find_program(std::string(name));
}

std::string find_cuda_headers() {
    for (const fs::path& root : toolkit_roots()) {
        for (const char* folder : {"include", "targets/x86_64-linux/include"}) {
            if (is_there(root / folder / "cuda_runtime.h")) return (root / folder).string();
        }
    }
    return "";
}

}  // namespace optiml::gpu
