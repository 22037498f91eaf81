#pragma once
// One process at a time on a GPU: whoever times or profiles holds this, so that another worker's start or another run of the program
// does not disturb the samples. Held by the kernel of the operating system: it is free again when its holder dies.

#include <filesystem>
#include <string>

#include "base/result.h"

namespace optiml::gpu {

class DeviceLock {
public:
    // Where the lock files are, made if it is not there: $OPTIML_LOCK_FOLDER, else a folder for all users among the temporary files. A
    // sandboxed worker must be able to write there.
    static std::filesystem::path folder();
    // uuid names the device. Error (environment): no lock file can be made in the folder.
    static Result<DeviceLock> open(const std::string& uuid);
    DeviceLock(DeviceLock&& other) noexcept;
    DeviceLock& operator=(DeviceLock&& other) noexcept;
    ~DeviceLock();

    // Waits at most that long; false: somebody else still holds it.
    bool acquire(double limit_seconds);
    void release();

private:
    explicit DeviceLock(int descriptor) : descriptor_(descriptor) {}
    int descriptor_ = -1;
};

}  // namespace optiml::gpu
