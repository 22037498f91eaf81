#include "gpu/device_lock.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/clock.h"

namespace optiml::gpu {

namespace {

// A file of another user in a folder such as /tmp may not be opened with O_CREAT (fs.protected_regular), and so only where there is none.
int open_shared(const char* path) {
    constexpr int kFlags = O_RDWR | O_CLOEXEC | O_NOFOLLOW;
    int descriptor = ::open(path, kFlags);
    if (descriptor < 0 && errno == ENOENT) descriptor = ::open(path, kFlags | O_CREAT | O_EXCL, 0666);
    if (descriptor < 0 && errno == EEXIST) descriptor = ::open(path, kFlags);  // somebody else was first
    return descriptor;
}

}  // namespace

std::filesystem::path DeviceLock::folder() {
    using std::filesystem::perms;
    std::error_code code;
    const char* chosen = std::getenv("OPTIML_LOCK_FOLDER");
    const bool is_chosen = chosen != nullptr && *chosen != '\0';
    const std::filesystem::path folder = is_chosen ? chosen : std::filesystem::temp_directory_path(code) / "optiml-locks";
    // Everybody on the machine shares the cards, and nobody may take away another's files.
    const bool is_new = std::filesystem::create_directories(folder, code);
    if (is_new) std::filesystem::permissions(folder, perms::all | perms::sticky_bit, code);
    else if (!is_chosen) std::filesystem::permissions(folder, perms::sticky_bit, std::filesystem::perm_options::add, code);
    return folder;
}

Result<DeviceLock> DeviceLock::open(const std::string& uuid) {
    const std::filesystem::path path = folder() / fmt::format("{}.lock", uuid);
    const int descriptor = open_shared(path.c_str());
    if (descriptor < 0) {
        return environment_error(fmt::format("cannot open {}: {}", path.string(), std::strerror(errno)), "Set TMPDIR to a folder that can be written.");
    }
    (void)::fchmod(descriptor, 0666);  // whatever the umask
    return DeviceLock(descriptor);
}

DeviceLock::DeviceLock(DeviceLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

DeviceLock& DeviceLock::operator=(DeviceLock&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
}

DeviceLock::~DeviceLock() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

bool DeviceLock::acquire(double limit_seconds) {
    const SteadyClock clock;
    const Deadline deadline(clock, limit_seconds);
    while (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
        if (deadline.passed()) return false;
        ::usleep(200);
    }
    return true;
}

void DeviceLock::release() { ::flock(descriptor_, LOCK_UN); }

}  // namespace optiml::gpu
