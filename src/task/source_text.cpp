#include "task/source_text.h"

#include <fmt/format.h>

#include "base/text.h"

namespace optiml::task {

Status check_source_text(std::string_view text, const std::string& file) {
    if (text.size() > kMostSourceBytes) {
        return user_error(fmt::format("the source has {} bytes; at most {} MiB are read", text.size(), kMostSourceBytes >> 20), {file},
                          "Give a file with the kernel and what it calls; large tables belong into buffers.");
    }
    const std::size_t zero = text.find('\0');
    if (zero == std::string_view::npos) return {};
    return user_error("the source holds a zero byte", {file, line_at(text, zero), 0}, "Save it as UTF-8 text.");
}

Result<std::string> read_source_text(const std::filesystem::path& file, const Disk& disk) {
    Result<std::string> text = disk.read(file);
    if (!text) return text;
    if (Status status = check_source_text(*text, file.string()); !status) return tl::make_unexpected(status.error());
    return text;
}

}  // namespace optiml::task
