#pragma once

#include <filesystem>

#include "base/result.h"

namespace optiml::process {

// A new, empty folder for temporary files that only this user can enter; it goes with all it holds when the object does.
class ScratchFolder {
public:
    // Error (environment): no folder can be made in $TMPDIR (else /tmp).
    static Result<ScratchFolder> make();
    ScratchFolder(ScratchFolder&& other) noexcept;
    ScratchFolder& operator=(ScratchFolder&& other) noexcept;
    ~ScratchFolder();

    const std::filesystem::path& path() const { return path_; }

private:
    explicit ScratchFolder(std::filesystem::path path) : path_(std::move(path)) {}
    std::filesystem::path path_;  // empty once moved from
};

}  // namespace optiml::process
