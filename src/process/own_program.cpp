#include "process/own_program.h"

#include <dlfcn.h>

namespace optiml::process {

namespace fs = std::filesystem;

fs::path own_program() {
    std::error_code code;
    fs::path process = fs::read_symlink("/proc/self/exe", code);
    Dl_info info{};
    const bool is_library = dladdr(reinterpret_cast<const void*>(&own_program), &info) != 0 && !fs::equivalent(info.dli_fname, process, code);
    if (!is_library) return process;
    const fs::path library = fs::weakly_canonical(info.dli_fname, code);
    for (fs::path folder = library.parent_path(); folder != folder.parent_path(); folder = folder.parent_path()) {
        if (fs::path program = folder / "bin" / "optiml"; fs::exists(program, code)) return program;
    }
    return {};
}

}  // namespace optiml::process
