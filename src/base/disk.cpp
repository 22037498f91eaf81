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

// Why the path is nothing to read from.
std::string obstacle(const std::filesystem::path& path) {
    std::error_code code;
    const std::filesystem::file_status status = std::filesystem::status(path, code);
    if (code) return code.message();
    switch (status.type()) {
        case std::filesystem::file_type::regular: break;
        case std::filesystem::file_type::directory: return "it is a folder";
        case std::filesystem::file_type::fifo: return "it is a pipe; save what comes out of it in a file";
        default: return "it is a device or socket, not a file";
    }
    const std::uintmax_t bytes = std::filesystem::file_size(path, code);
    if (code) return code.message();
    return bytes <= kMostFileBytes ? "" : fmt::format("it has {} bytes; files may have up to {} GiB", bytes, kMostFileBytes >> 30);
}

}  // namespace

Result<std::string> RealDisk::read(const std::filesystem::path& path) const {
    if (const std::string why_not = obstacle(path); !why_not.empty()) return cannot("read", path, why_not);
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

Status RealDisk::check_writable(const std::filesystem::path& folder) const {
    std::error_code code;
    std::filesystem::path nearest = std::filesystem::absolute(folder, code);
    while (!std::filesystem::exists(nearest, code) && nearest.has_relative_path()) nearest = nearest.parent_path();
    if (!std::filesystem::is_directory(nearest, code)) return cannot("write into", folder, nearest.string() + " is no folder");
    if (::access(nearest.c_str(), W_OK | X_OK) != 0) return cannot("write into", folder, nearest.string() + ": " + std::strerror(errno));
    return {};
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
