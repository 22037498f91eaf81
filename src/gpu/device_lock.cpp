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

std::filesystem::path DeviceLock::folder() {
    std::error_code code;
    const char* chosen = std::getenv("OPTIML_LOCK_FOLDER");
    const std::filesystem::path folder = chosen != nullptr && *chosen != '\0' ? chosen : std::filesystem::temp_directory_path(code) / "optiml-locks";
    // Everybody on the machine shares the cards.
    if (std::filesystem::create_directories(folder, code)) std::filesystem::permissions(folder, std::filesystem::perms::all, code);
    return folder;
}

Result<DeviceLock> DeviceLock::open(const std::string& uuid) {
    const std::filesystem::path path = folder() / fmt::format("{}.lock", uuid);
    // Everybody on the machine shares the card, so everybody shares the file.
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (descriptor < 0) {
        return environment_error(fmt::format("cannot open {}: {}", path.string(), std::strerror(errno)), "Set TMPDIR to a folder that can be written.");
    }
    (void)::fchmod(descriptor, 0666);
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
