#pragma once
// Files as a seam, with an in-memory twin for tests.

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "base/result.h"

namespace optiml {

constexpr std::uint64_t kMostFileBytes = std::uint64_t{4} << 30;  // what is larger is no input of ours

class Disk {
public:
    virtual ~Disk() = default;
    // Errors (user): it cannot be read, is no regular file (a device or a pipe might never end), or is larger than kMostFileBytes.
    virtual Result<std::string> read(const std::filesystem::path& path) const = 0;
    // Whole or not at all: writes beside the target and renames, so that a full disk or a kill leaves the old file.
    virtual Status write(const std::filesystem::path& path, std::string_view bytes) = 0;
    virtual bool exists(const std::filesystem::path& path) const = 0;
    // Whether files can be written into the folder, which need not exist yet; changes nothing. Error (user): why not.
    virtual Status check_writable(const std::filesystem::path& folder) const = 0;
};

class RealDisk final : public Disk {
public:
    Result<std::string> read(const std::filesystem::path& path) const override;
    Status write(const std::filesystem::path& path, std::string_view bytes) override;
    bool exists(const std::filesystem::path& path) const override;
    Status check_writable(const std::filesystem::path& folder) const override;
};

class MemoryDisk final : public Disk {
public:
    Result<std::string> read(const std::filesystem::path& path) const override;
    Status write(const std::filesystem::path& path, std::string_view bytes) override;
    bool exists(const std::filesystem::path& path) const override;
    Status check_writable(const std::filesystem::path&) const override { return {}; }
    void fill_up() { full_ = true; }  // every later write fails as on a full disk

private:
    std::map<std::filesystem::path, std::string> files_;
    bool full_ = false;
};

}  // namespace optiml
