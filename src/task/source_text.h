#pragma once
// Kernel sources as they come from the user.

#include <filesystem>
#include <string>
#include <string_view>

#include "base/disk.h"

namespace optiml::task {

constexpr std::size_t kMostSourceBytes = std::size_t{4} << 20;

// Whether compilers can be given the text. Errors (user), with the file: it is larger than kMostSourceBytes, or holds a zero byte, at
// which NVRTC would take it to end.
Status check_source_text(std::string_view text, const std::string& file);

// Reads a source that check_source_text accepts. Errors (user): also those of Disk::read.
Result<std::string> read_source_text(const std::filesystem::path& file, const Disk& disk);

}  // namespace optiml::task
