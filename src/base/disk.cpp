#include "base/disk.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

namespace optiml {
namespace {

tl::unexpected<Error> cannot(std::string_view what, const std::filesystem::path& path, std::string_view reason) {
    return user_error(fmt::format("cannot {} {}: {}", what, path.string(), reason));
}

tl::unexpected<Error> disk_full(const std::filesystem::path& path) {
    return environment_error(fmt::format("cannot write {}: {}", path.string(), std::strerror(ENOSPC)), "Make room on the disk.");
}

tl::unexpected<Error> cannot_write(const std::filesystem::path& path, int code) {
    if (code == ENOSPC || code == EDQUOT) return disk_full(path);
    return cannot("write", path, std::strerror(code));
}

}  // namespace

Result<std::string> RealDisk::read(const std::filesystem::path& path) const {
    std::error_code code;
    if (std::filesystem::is_directory(path, code)) return cannot("read", path, "it is a folder");
    std::ifstream file(path, std::ios::binary);
    if (!file) return cannot("read", path, std::strerror(errno));
    std::string bytes{std::istreambuf_iterator<char>(file), {}};
    if (file.bad()) return cannot("read", path, std::strerror(errno));
    return bytes;
}

Status RealDisk::write(const std::filesystem::path& path, std::string_view bytes) {
    std::error_code code;
    if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), code);
    if (code) return cannot("create the folder of", path, code.message());
    const std::filesystem::path beside = path.string() + fmt::format(".{}.part", ::getpid());
    {
        std::ofstream file(beside, std::ios::binary | std::ios::trunc);
        file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        file.flush();
        if (!file) {
            const int reason = errno;
            std::filesystem::remove(beside, code);
            return cannot_write(path, reason);
        }
    }
    std::filesystem::rename(beside, path, code);
    if (!code) return {};
    const int reason = code.value();
    std::filesystem::remove(beside, code);
    return cannot_write(path, reason);
}

bool RealDisk::exists(const std::filesystem::path& path) const {
    std::error_code code;
    return std::filesystem::exists(path, code);
}

Result<std::string> MemoryDisk::read(const std::filesystem::path& path) const {
    const auto found = files_.find(path);
    if (found == files_.end()) return cannot("read", path, "No such file or directory");
    return found->second;
}

Status MemoryDisk::write(const std::filesystem::path& path, std::string_view bytes) {
    if (full_) return disk_full(path);
    files_[path] = bytes;
    return {};
}

bool MemoryDisk::exists(const std::filesystem::path& path) const { return files_.contains(path); }

}  // namespace optiml
