#include "process/scratch_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace optiml::process {

Result<ScratchFolder> ScratchFolder::make() {
    std::error_code code;
    const std::filesystem::path root = std::filesystem::temp_directory_path(code);
    std::string name = ((code ? std::filesystem::path("/tmp") : root) / "optiml-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
        return environment_error(fmt::format("no folder for temporary files ({}): {}", name, std::strerror(errno)), "Set TMPDIR to a folder that can be written.");
    }
    return ScratchFolder(name);
}

ScratchFolder::ScratchFolder(ScratchFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}

ScratchFolder& ScratchFolder::operator=(ScratchFolder&& other) noexcept {
    std::swap(path_, other.path_);
    return *this;
}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace optiml::process
