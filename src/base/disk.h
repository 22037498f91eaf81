#pragma once
// Files as a seam, with an in-memory twin for tests.

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "base/result.h"

namespace optiml {

class Disk {
public:
    virtual ~Disk() = default;
    virtual Result<std::string> read(const std::filesystem::path& path) const = 0;
    // Whole or not at all: writes beside the target and renames, so that a full disk or a kill leaves the old file.
    virtual Status write(const std::filesystem::path& path, std::string_view bytes) = 0;
    virtual bool exists(const std::filesystem::path& path) const = 0;
};

class RealDisk final : public Disk {
public:
    Result<std::string> read(const std::filesystem::path& path) const override;
    Status write(const std::filesystem::path& path, std::string_view bytes) override;
    bool exists(const std::filesystem::path& path) const override;
};

class MemoryDisk final : public Disk {
public:
    Result<std::string> read(const std::filesystem::path& path) const override;
    Status write(const std::filesystem::path& path, std::string_view bytes) override;
    bool exists(const std::filesystem::path& path) const override;
    void fill_up() { full_ = true; }  // every later write fails as on a full disk

private:
    std::map<std::filesystem::path, std::string> files_;
    bool full_ = false;
};

}  // namespace optiml
