#include "runs/run_locks.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

namespace optiml::runs {
namespace {

// One byte of the file a run. Locks of open file descriptions, unlike those of processes, do not vanish when another descriptor of the
// same file is closed.
struct flock lock_of(std::int64_t run, short type) {
    struct flock lock {};
    lock.l_type = type;
    lock.l_whence = SEEK_SET;
    lock.l_start = run;
    lock.l_len = 1;
    return lock;
}

}  // namespace

Result<RunLocks> RunLocks::open(const std::string& store_file) {
    if (store_file == ":memory:") return RunLocks(-1);
    const std::string file = store_file + "-active";
    const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor >= 0) return RunLocks(descriptor);
    return user_error(fmt::format("run store {}: cannot open {}: {}", store_file, file, std::strerror(errno)), {store_file},
                      "Name a file in a folder that can be written with --store.");
}

RunLocks::RunLocks(RunLocks&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)), own_(std::move(other.own_)) {}

RunLocks::~RunLocks() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

bool RunLocks::acquire(std::int64_t run) {
    struct flock lock = lock_of(run, F_WRLCK);
    const bool locked = descriptor_ < 0 || ::fcntl(descriptor_, F_OFD_SETLK, &lock) == 0;
    // Any other failure: a file system without locks. Then nobody can tell whether the process of a run lives.
    if (!locked && (errno == EAGAIN || errno == EACCES)) return false;
    own_.insert(run);
    return true;
}

void RunLocks::release(std::int64_t run) {
    struct flock lock = lock_of(run, F_UNLCK);
    if (descriptor_ >= 0) ::fcntl(descriptor_, F_OFD_SETLK, &lock);
    own_.erase(run);
}

bool RunLocks::is_held(std::int64_t run) const {
    if (own_.contains(run)) return true;
    struct flock lock = lock_of(run, F_WRLCK);
    return descriptor_ >= 0 && ::fcntl(descriptor_, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

}  // namespace optiml::runs
